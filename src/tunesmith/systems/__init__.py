"""Systems: what can be decoded with, and how a worker opens it."""

from typing import TYPE_CHECKING

from tunesmith.lazy import load_on_use

if TYPE_CHECKING:
    from tunesmith.systems.base import System
    from tunesmith.systems.command import CommandSystem
    from tunesmith.systems.external_setup import ExternalSetup
    from tunesmith.systems.lists import ListSetup, ListSystem
    from tunesmith.systems.model import ModelSystem
    from tunesmith.systems.model_setup import ModelSetup
    from tunesmith.systems.process import ProcessSystem
    from tunesmith.systems.setup import Setup

__getattr__, __dir__ = load_on_use(
    __name__,
    {
        "tunesmith.systems.base": "System",
        "tunesmith.systems.command": "CommandSystem",
        "tunesmith.systems.external_setup": "ExternalSetup",
        "tunesmith.systems.lists": "ListSetup ListSystem",
        "tunesmith.systems.model": "ModelSystem",
        "tunesmith.systems.model_setup": "ModelSetup",
        "tunesmith.systems.process": "ProcessSystem",
        "tunesmith.systems.setup": "Setup",
    },
)

__all__ = [
    "CommandSystem",
    "ExternalSetup",
    "ListSetup",
    "ListSystem",
    "ModelSetup",
    "ModelSystem",
    "ProcessSystem",
    "Setup",
    "System",
]
