"""Small networks that stand for those of the reader in play-outs.

Each imitates the mean of a population's networks on one street: ``small.npz``, made by ``python tools/small_networks.py
fit``. It is used only while these networks are the ones that it was made from.
"""

from __future__ import annotations

import zlib
from functools import cache
from pathlib import Path

import numpy as np

from dupai.base.arrays import AnyArray
from dupai.reading import populations
from dupai.reading.model import Network

SMALL_FILE = Path(__file__).with_name("small.npz")


def fingerprint(net: Network) -> int:
    """A checksum of a network's weights."""
    total = 0
    for name in sorted(net.weights):
        total = zlib.crc32(net.weights[name].tobytes(), total)
    return total


@cache
def small_networks() -> dict[tuple[int, int], tuple[Network, tuple[int, ...]]]:
    """By street and population: the network, and the checksums of those that it stands for."""
    parts: dict[tuple[int, int], dict[str, AnyArray]] = {}
    with np.load(SMALL_FILE, allow_pickle=False) as file:
        for key in file.files:
            street, name, array = key.split("/")
            if name in populations.NAMES:
                parts.setdefault((int(street), populations.number(name)), {})[array] = file[key]
    made = {}
    for where, arrays in parts.items():
        of = tuple(arrays.pop("of").tolist())
        made[where] = Network(arrays, where[0] == 0), of
    return made


def networks_of(nets: tuple[Network, ...], street: int, group: int, small: bool) -> tuple[Network, ...]:
    """The networks that play for a population: ``nets``, or the ``small`` one that imitates them if there is one."""
    found = small_networks().get((street, group)) if small else None
    return nets if found is None or found[1] != tuple(map(fingerprint, nets)) else (found[0],)
