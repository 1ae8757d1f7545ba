"""Samples: every decision of the players that are learned, from hands with known cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

from dupai.base import ConfigError, HistoryError, NoProgress, Progress
from dupai.base.arrays import F32, AnyArray as Array, Bool
from dupai.history import file_records
from dupai.reading.cnn import CNN_MOVE_OF, CNN_SIDE, matrices_kernel, sample_features_kernel, start_rates
from dupai.reading.features import ACTION_CLASSES, HAND_SIZE, PUBLIC_SIZE
from dupai.training._corpus import Corpus, Decisions, find_decisions, read_corpus
from dupai.training._split import PARTS, Part, source_name
from dupai.training._stopped import look_up, report

#: Numbers of a decision in the rich encoding: what is public, and which columns of the menu are legal.
NODE_SIZE = PUBLIC_SIZE + ACTION_CLASSES
_SLICE = 2000


class Samples(msgspec.Struct, frozen=True):
    """Decisions of the learned players, in the order of their hands.

    Attributes:
        corpus: the hands.
        decisions: features of all decisions of the hands.
        hand: ``int64[m]``, the hand of each sample.
        row: ``int64[m]``, its row in ``corpus.rows``.
        part: ``int8[m]``, train, validation or test (:data:`~dupai.training._split.PARTS`).
        players: names of those who are learned.
        player: ``int64[m]``, whose decision it is, as a place in ``players``; -1 where nobody says.
    """

    corpus: Corpus
    decisions: Decisions
    hand: Array
    row: Array
    part: Array
    players: tuple[str, ...]
    player: Array

    def __len__(self) -> int:
        return len(self.row)

    @property
    def street(self) -> Array:
        """``int64[m]``."""
        return np.asarray(self.corpus.rows["street"][self.row])

    def columns(self, encoding: str) -> Array:
        """``int64[m]``: what was done, as a column of the encoding's menu."""
        did = self.decisions.did[self.row].astype(np.int64)
        return did if encoding == "rich" else np.asarray(CNN_MOVE_OF[did])

    def legal(self, encoding: str) -> Bool:
        """``bool[m, k]``: which columns were legal."""
        legal = np.asarray(self.decisions.legal[self.row])
        if encoding == "rich":
            return legal
        return np.stack([legal[:, move == CNN_MOVE_OF].any(axis=1) for move in range(CNN_MOVE_OF.max() + 1)], axis=1)

    def of(self, part: Part) -> Array:
        """``int64[n]``: the samples of a part."""
        return np.flatnonzero(self.part == PARTS.index(part))

    def matrices(self, which: Array, leaks: int) -> F32:
        """``float32[n, 1, 20, 20]``: the paper's input of some samples."""
        out = np.empty((len(which), CNN_SIDE, CNN_SIDE), np.float32)
        c = self.corpus
        matrices_kernel(c.rows, c.first, self.hand[which], self.row[which], c.hole, c.board, leaks, out)
        return out[:, None]

    def nodes(self, which: Array) -> F32:
        """``float32[n, 105]``: what was public at some samples' decisions."""
        rows = self.row[which]
        return np.concatenate((self.decisions.features[rows], self.decisions.legal[rows]), axis=1, dtype=np.float32)

    def hands(self, progress: Progress | None = None) -> npt.NDArray[np.float16]:
        """``float16[m, 70]``: the hand that the player held, for all samples."""
        look = progress or NoProgress()
        out = np.zeros((len(self), HAND_SIZE), np.float16)
        c = self.corpus
        for begin in range(0, len(self), _SLICE):
            end = min(begin + _SLICE, len(self))
            held = np.empty((end - begin, HAND_SIZE), np.float32)
            sample_features_kernel(c.rows, self.hand, self.row, c.hole, c.board, start_rates(), begin, end, held)
            out[begin:end] = held
            report(look, end, len(self), "hands")
        return out

    def counts(self) -> dict[str, dict[str, int]]:
        """Hands and decisions by part."""
        return {
            name: {"hands": len(np.unique(self.hand[self.of(name)])), "decisions": len(self.of(name))} for name in PARTS
        }


def _check_games(paths: Iterable[str | Path]) -> Iterator[str | Path]:
    for path in paths:
        try:
            spec = next(iter(file_records(path, rejected=lambda line, reason: None))).spec
        except ConfigError as error:
            raise HistoryError(f"{path}: {error}") from None
        if spec.players != 2 or spec.betting != "no-limit":
            raise HistoryError(
                f"{path}: {spec.betting} hold'em for {spec.players} players: expected heads-up no-limit hold'em"
            )
        yield path


def cnn_samples(
    paths: Sequence[str | Path],
    players: Sequence[str] = (),
    share: float = 1.0,
    shares: Mapping[str, float] | None = None,
    progress: Progress | None = None,
) -> Samples:
    """The decisions of some players in logs of heads-up no-limit hold'em.

    A decision counts where the player's cards are known and more than one action was possible.

    Args:
        paths: logs, PHH files, site texts, stores.
        players: names, ``*`` and ``?`` for any text and any letter; none: everybody.
        share: share of the hands of each file that is used, spread evenly over it.
        shares: other shares for some files, by source name (:func:`~dupai.reading.source_name`).
        progress: told about files and features; ``Stopped`` is raised when it is cancelled.

    Raises:
        HistoryError: a file cannot be read, is of another game, or no hand has known cards.
        ConfigError: no player or file is called so, or there is no decision to learn from.
    """
    look = progress or NoProgress()
    wanted_of = dict(shares or {})
    strange = set(wanted_of) - {source_name(path) for path in paths}
    if strange:
        raise ConfigError(f"share of {min(strange)!r}: no --data file is called so")
    files = list(_check_games(paths))
    if not files:
        raise ConfigError("no data: expected at least one --data FILE")
    try:
        corpus = read_corpus(files, most=lambda name: wanted_of.get(name, share), progress=look)
    except HistoryError:
        look_up(look)  # stopped before the first hand
        raise
    look_up(look)
    names = np.array(corpus.names or [""], dtype=object)
    chosen = np.array([not players or any(fnmatchcase(name, p) for p in players) for name in names], np.bool_)
    if not chosen.any():
        known = ", ".join(sorted(corpus.names)[:8]) + (", ..." if len(corpus.names) > 8 else "")
        raise ConfigError(
            f"player {', '.join(map(repr, players))}: nobody is called so; the data has {known or 'no names'}"
        )
    odd = np.flatnonzero((corpus.rows["players"] != 2) | np.repeat(corpus.limit, np.diff(corpus.first)))
    if len(odd):
        where = int(np.searchsorted(corpus.first, odd[0], side="right")) - 1
        name = corpus.sources[corpus.source[where]]
        raise HistoryError(f"{name}: a hand of another game in it: expected heads-up no-limit hold'em throughout")
    decisions = find_decisions(corpus, look)
    hand_of = np.repeat(np.arange(len(corpus.first) - 1), np.diff(corpus.first))
    position = corpus.rows["position"]
    known = (corpus.hole[hand_of, position] != 255).all(axis=1)
    name_of = corpus.name[hand_of, position]
    mine = np.where(name_of >= 0, chosen[name_of], not players)
    row = np.flatnonzero(known & mine & (decisions.did >= 0) & (decisions.legal.sum(axis=1) > 1))
    if not len(row):
        raise ConfigError("the data holds no decision of these players with known cards: nothing to learn from")
    hand = hand_of[row]
    seen = sorted({str(names[n]) for n in np.unique(name_of[row]) if n >= 0})
    place = np.array([seen.index(name) if name in seen else -1 for name in [*names, None]])
    return Samples(corpus, decisions, hand, row, corpus.part[hand], tuple(seen), place[name_of[row]])
