"""The published matches of the original local best response, recomputed from their logs."""

import lzma
from collections import defaultdict

import numpy as np
import pytest

from support.shared_data import shared_data

pytestmark = pytest.mark.slow


def _won(name):
    """mbb/hand of the player LBR, hand by hand, by the settings that a match is named after."""
    file = shared_data(f"{name}/{name}.log.xz")
    won, match = defaultdict(list), ""
    with lzma.open(file, "rt") as lines:
        for line in lines:
            if line.startswith("# match"):
                match = line.split()[2]
            elif line.startswith("STATE"):
                _, _, _, _, payoffs, players = line.rstrip().split(":")
                names = players.lower().split("|")
                me = next(i for i, player in enumerate(names) if player.startswith("lbr"))
                won[match.split("_")[1]].append(10 * float(payoffs.split("|")[me]))
    return {setting: np.array(values) for setting, values in won.items()}


def test_hyperborean_loses_what_was_published():
    won = _won("lbr-vs-hyperborean14")
    figure = won["fc4"]
    error = figure.std() / np.sqrt(len(figure))
    assert abs(figure.mean() - 721) < 2 * np.hypot(error, 56 / 1.96)
    assert won["fcpa"].mean() > 3000


def test_local_best_response_loses_to_deepstack():
    won = np.concatenate(list(_won("lbr-vs-deepstack-2017").values()))
    assert won.mean() + 1.96 * won.std() / np.sqrt(len(won)) < 0
