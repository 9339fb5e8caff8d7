"""The demo on the built-in corpus: tuning candidate lists, and a translation model from text to a test."""

from tunesmith.demo.lists import (
    DENSE_ONLY,
    Outcome,
    demo_pool,
    first_candidates,
    judge,
    run_demo,
    write_demo,
)
from tunesmith.demo.model import ModelDemo, ModelOutcome, model_demo_folder, run_model_demo

__all__ = [
    "DENSE_ONLY",
    "ModelDemo",
    "ModelOutcome",
    "Outcome",
    "demo_pool",
    "first_candidates",
    "judge",
    "model_demo_folder",
    "run_demo",
    "run_model_demo",
    "write_demo",
]
