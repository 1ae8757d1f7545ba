"""A hand is a hand once: what tells the same hand from another, and the hands that are there already."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from dupai.base.arrays import I64
from dupai.base.files import disk_faults, whole_path, write_whole
from dupai.cards import NO_CARD, cards_text
from dupai.history._schema import TABLES, need_pyarrow
from dupai.history._store import Store, read_manifest
from dupai.rules import GameSpec, HandRecord

#: Digits of a hand's number that a site gives but once.
LONG = 8
#: Keys that are kept in a set before they join the others in an array, where a key takes 8 bytes and not 100.
_LATEST = 100_000


def number_key(venue: str, number: str) -> int:
    """The key of a hand whose number its site gives but once."""
    return _digest(f"{venue}\n{number}\n".encode())


def _digest(text: bytes) -> int:
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "little", signed=True)


def hand_key(record: HandRecord) -> int:
    """What tells a hand from all others, in 64 bits: its site and number; without a site, or where the number is so
    short that it may come again, what was played."""
    about = dict(record.about)
    number = about.get("hand") or str(record.hand)
    venue, table = about.get("venue", ""), about.get("table", "")
    if venue and len(number) >= LONG:
        return number_key(venue, number)
    words, actions = (venue, table, number, record.section), record.actions
    return played_key(
        words, record.spec, record.stacks, record.hole, record.board, actions, record.payoffs, record.names
    )


def played_key(words: tuple[str, str, str, str], spec: GameSpec, *played: Sequence[Any]) -> int:
    """The key of a hand by its site, table, number and section, its game, and the stacks, hole cards, board, actions,
    payoffs and names."""
    stacks, hole, board, actions, payoffs, names = played
    # Players who record the same hand know other hole cards. Without these, a table or a board tells two hands apart.
    dealt = [c for c in board if c != NO_CARD]
    held = () if names and (dealt or words[1]) else hole
    game = (spec.betting, spec.blinds, spec.antes, spec.bet_sizes)
    return _digest(msgspec.msgpack.encode((words, game, stacks, held, dealt, actions, payoffs, names)))


def again_line(again: int) -> str:
    """What to say of hands that came again."""
    return f"{again:,} {'hand was' if again == 1 else 'hands were'} there already: a hand is counted once"


class Seen:
    """Hands that are there already.

    Attributes:
        again: How many hands came again.
        cards: Hole cards by name that a hand which came again tells, by the hand's key, where ``merge`` is set.
    """

    def __init__(self, keys: Iterable[int] = (), *, merge: bool = False) -> None:
        self._latest, self._sorted = set(keys), array("q")
        self.again = 0
        self.merge = merge
        self.cards: dict[int, dict[str, str]] = {}

    @property
    def keys(self) -> I64:
        """The keys of all these hands, sorted."""
        self.know()
        return np.array(self._sorted, np.int64)

    def know(self, *keys: I64) -> None:
        """More hands are there already."""
        latest = np.fromiter(self._latest, np.int64, len(self._latest))
        self._latest.clear()
        self._sorted = array("q", np.sort(np.concatenate([np.array(self._sorted), latest, *keys])).tobytes())

    def first(self, record: HandRecord, key: int | None = None) -> bool:
        """Whether a hand (with this key, where it is known) comes for the first time; it is there from now on."""
        return self.first_of(hand_key(record) if key is None else key, lambda: (record.names, record.hole))

    def first_of(self, key: int, told: Callable[[], tuple[Sequence[str], Sequence[Any]]] | None = None) -> bool:
        """The same for a hand with this key; ``told`` gives its names and hole cards by position."""
        at = bisect_left(self._sorted, key)
        if key not in self._latest and (at == len(self._sorted) or self._sorted[at] != key):
            self._latest.add(key)
            if len(self._latest) >= _LATEST:
                self.know()
            return True
        self.again += 1
        if self.merge and told is not None:
            rows = zip(*told(), strict=False)  # without names there is nobody to hold cards
            self.cards.setdefault(key, {}).update({n: cards_text(two) for n, two in rows if NO_CARD not in two})
        return False


def _keys_file(folder: Path, number: int) -> Path:
    return folder / f"keys-{number:05}.npy"


def write_keys(folder: Path, number: int, keys: Iterable[int]) -> None:
    """Write the keys of one part, in the order of its hands."""
    with whole_path(_keys_file(folder, number)) as path, path.open("wb") as file:
        np.save(file, np.fromiter(keys, np.int64))


def part_keys(folder: Path, parts: Iterable[int]) -> dict[int, I64]:
    """The keys of the parts of a source that has them."""
    files = {number: _keys_file(folder, number) for number in parts}
    return {number: np.load(file) for number, file in files.items() if file.is_file()}


def stored_hands(store: Store, fresh: Path | None = None) -> Seen:
    """The hands of a store; what an older version has stored is brought up to date: hands that it counted again go.
    So do those of the source ``fresh`` that others have."""
    seen, told, rest = Seen(merge=True), [], []
    for folder, manifest in zip(store.folders(), store.sources(), strict=True):
        known = part_keys(folder, manifest.parts)
        for number in manifest.parts if manifest.kind != "acpc" else ():  # a log numbers its hands anew
            if number in known and folder != fresh:
                told.append(known[number])
            else:
                rest.append((folder, number, known.get(number)))
    seen.know(*told)
    for folder, number, keys in rest:
        _update(store, folder, number, keys, seen)
    seen.again = 0
    return seen


def _update(store: Store, folder: Path, number: int, known: I64 | None, seen: Seen) -> None:
    """Give a part of a source its keys, without the hands that are there already."""
    pa = need_pyarrow()
    ids = pa.parquet.read_table(folder / f"hands-{number:05}.parquet", columns=["hand_id"])["hand_id"].to_pylist()
    told = map(hand_key, store.records(ids)) if known is None else known.tolist()
    keep, keys = [], []
    for hand_id, key in zip(ids, told, strict=True):
        if seen.first_of(key):
            keep.append(hand_id)
            keys.append(key)
    if len(keep) < len(ids):
        lost = dict.fromkeys(TABLES, 0)
        for table in TABLES:
            path = folder / f"{table}-{number:05}.parquet"
            rows = pa.parquet.read_table(path)
            left = rows.filter(pa.compute.is_in(rows["hand_id"], value_set=pa.array(keep, pa.int64())))
            lost[table] = len(rows) - len(left)
            _write(path, left)
        old = read_manifest(folder)
        manifest = msgspec.structs.replace(old, **{t: getattr(old, t) - gone for t, gone in lost.items()})
        write_whole(folder / "manifest.json", msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n")
    write_keys(folder, number, keys)


def _write(path: Path, rows: Any) -> None:
    with disk_faults(f"{path}: cannot be written", path), whole_path(path) as fresh:
        need_pyarrow().parquet.write_table(rows, fresh, compression="zstd")


def merge_cards(store: Store, seen: Seen) -> None:
    """Add to the hands of a store the hole cards that only another recording of them tells."""
    wanted = np.fromiter(seen.cards, np.int64)
    for folder, manifest in zip(store.folders(), store.sources(), strict=True):
        for number, keys in part_keys(folder, manifest.parts).items() if len(wanted) else ():
            rows = np.flatnonzero(np.isin(keys, wanted))
            if len(rows):
                _merge(folder, number, {int(i): seen.cards[int(keys[i])] for i in rows})


def _merge(folder: Path, number: int, cards: dict[int, dict[str, str]]) -> None:
    pa = need_pyarrow()
    ids = pa.parquet.read_table(folder / f"hands-{number:05}.parquet", columns=["hand_id"])["hand_id"].to_pylist()
    by_id = {ids[row]: known for row, known in cards.items()}
    path = folder / f"players-{number:05}.parquet"
    rows = pa.parquet.read_table(path)
    triples = zip(rows["hand_id"].to_pylist(), rows["player"].to_pylist(), rows["hole"].to_pylist(), strict=True)
    holes = [hole if hole and "?" not in hole else by_id.get(i, {}).get(name, hole) for i, name, hole in triples]
    if holes != rows["hole"].to_pylist():
        at = rows.schema.get_field_index("hole")
        _write(path, rows.set_column(at, rows.schema.field("hole"), pa.array(holes, rows.schema.field("hole").type)))
