# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
"""A device's learner of the module, whose model is the argument model."""

from typing import Any, Awaitable, Dict, Optional

import numpy as np

from .extension import extension
from .wait import Wait


class Learner:
    """A model with the device's own samples; awaiting what it does takes time and energy."""

    def __init__(self, device):
        self._device = device

    @property
    def weights(self) -> np.ndarray:
        """All weights in a row, which nobody can change; assigning others copies them."""
        return self._device.learner.weights

    @weights.setter
    def weights(self, values) -> None:
        self._device.learner.weights = values

    @property
    def parameters(self) -> int:
        """Number of trainable parameters."""
        return self._device.learner.parameters

    def train(
        self,
        epochs: int = 1,
        steps: int = 0,
        learning_rate: float = 0.0,
        batch_size: int = 0,
        resets_optimizer: bool = True,
        center=None,
        mu: float = 0.0,
        correction=None,
        l2: float = 0.0,
        distill=None,
        targets=None,
        weight: float = 0.5,
    ) -> Awaitable[Dict[str, Any]]:
        """Trains on the device's own samples, phase train; gives the scores of the model afterwards,
        local_loss, steps and is_finite.

        epochs: passes over the samples, or steps if not 0; learning_rate, batch_size: 0 for the
        arguments'; center, mu: of a proximal term; correction: added to each gradient; l2: weight of
        the squared norm; distill, targets, weight: samples such as data.reference, soft labels for
        them, and the weight of that loss.
        """
        task = extension().TrainTask(
            epochs, steps, learning_rate, batch_size, resets_optimizer, center, mu, correction, l2
        )
        if distill is not None:
            task.distill(distill, targets, weight)
        return Wait(self._device.train(task))

    def predict(self, view) -> Awaitable[np.ndarray]:
        """Predicts samples, phase predict; gives probabilities, samples x classes."""
        return Wait(self._device.predict(view))

    def evaluate(self, weights: Optional[np.ndarray] = None) -> Awaitable[Dict[str, float]]:
        """Measures the model, which takes no simulated time; gives accuracy_... and loss_... of the
        samples reference, local and global.

        weights: that it is to have first, and keeps.
        """
        return Wait(self._device.evaluate(weights))
