"""The cutting-plane update against the primal problem, solved by another method."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from tunesmith.tuning.online.updates.cutting_plane import CuttingPlaneUpdate


@pytest.mark.parametrize("seed", range(6))
def test_the_solution_minimizes_the_primal_problem(seed: int) -> None:
    """min 1/2 |v|^2 + c xi, xi >= losses - margins - rows v, xi >= 0, by SLSQP."""
    random = np.random.default_rng(seed)
    count, width, c = 12, 4, 0.3
    features = random.normal(size=(count, width))
    gains = random.random(count) * 3
    hope = int(np.argmax(gains))
    rows, losses = features[hope] - features, gains[hope] - gains
    margins = rows @ random.normal(size=width)
    update = CuttingPlaneUpdate(c=c, planes=50, tolerance=1e-9)
    chosen, alphas = update.solve(rows, losses, margins, hope)
    change = alphas @ rows[chosen]
    assert alphas.sum() == pytest.approx(c)
    assert (alphas >= 0).all()

    def value(v: np.ndarray) -> float:
        return 0.5 * float(v @ v) + c * max(float((losses - margins - rows @ v).max()), 0.0)

    solved = minimize(
        lambda x: 0.5 * x[:-1] @ x[:-1] + c * x[-1],
        np.append(np.zeros(width), (losses - margins).max()),
        constraints={"type": "ineq", "fun": lambda x: rows @ x[:-1] + x[-1] - losses + margins},
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    assert value(change) <= value(solved.x[:-1]) + 1e-7
