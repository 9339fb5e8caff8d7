"""Decoders that a loop can tune: one file per kind."""

from tunesmith.tuning.translators.base import Translator
from tunesmith.tuning.translators.command import CommandTranslator
from tunesmith.tuning.translators.mira_protocol import MiraProtocolTranslator
from tunesmith.tuning.translators.model import ModelTranslator

__all__ = ["CommandTranslator", "MiraProtocolTranslator", "ModelTranslator", "Translator"]
