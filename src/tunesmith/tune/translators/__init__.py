"""What a loop can tune: one file a kind of decoder."""

from tunesmith.tune.translators.base import Translator
from tunesmith.tune.translators.command import CommandTranslator
from tunesmith.tune.translators.mira_protocol import MiraProtocolTranslator
from tunesmith.tune.translators.model import ModelTranslator

__all__ = ["CommandTranslator", "MiraProtocolTranslator", "ModelTranslator", "Translator"]
