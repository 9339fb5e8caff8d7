"""Systems: what can be decoded with, and how a worker opens it. One file per kind."""

from tunesmith.systems.base import System
from tunesmith.systems.command import CommandSystem
from tunesmith.systems.external_setup import ExternalSetup
from tunesmith.systems.lists import ListSetup, ListSystem
from tunesmith.systems.model import ModelSystem
from tunesmith.systems.model_setup import ModelSetup
from tunesmith.systems.process import ProcessSystem

__all__ = [
    "CommandSystem",
    "ExternalSetup",
    "ListSetup",
    "ListSystem",
    "ModelSetup",
    "ModelSystem",
    "ProcessSystem",
    "System",
]
