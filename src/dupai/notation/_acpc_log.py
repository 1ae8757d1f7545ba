"""A whole ACPC log, line by line: hands, comments, section marks, scores, and lines that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

import msgspec

from dupai.base import ConfigError, DupaiError, HistoryError, NotationError
from dupai.notation._acpc import format_acpc, parse_acpc_padded
from dupai.notation._chips import format_chips, parse_chips
from dupai.notation._games import GameChoice, LogSample, choose_game, header_game
from dupai.rules import GameSpec, HandRecord

#: A whole number of chips lost.
_LOSS = re.compile(r"-([1-9][0-9]{0,10})(?![0-9.])")
#: Lines looked at to find out which game a log is of.
_SAMPLE = 400


class AcpcHand(msgspec.Struct, frozen=True):
    """A hand of a log: its line number, the record, and what the log writes in the rounds after an all-in."""

    line: int
    record: HandRecord
    padding: str = ""


class AcpcText(msgspec.Struct, frozen=True):
    """A line that is not a hand, kept as it is: a ``comment`` (headers are comments), a ``section`` mark
    (``# player Pro07``), a ``score`` or a ``blank`` line."""

    line: int
    kind: str
    text: str


class AcpcError(msgspec.Struct, frozen=True):
    """A line that cannot be read: its number, its text, and what is wrong with it."""

    line: int
    text: str
    error: str


class Score(msgspec.Struct, frozen=True):
    """A ``SCORE`` line: total of each seat in 1/2520 chip, and the names by seat."""

    totals: tuple[int, ...]
    names: tuple[str, ...]


AcpcEntry = AcpcHand | AcpcText | AcpcError

#: First words of the comments that begin a new section of a log.
SECTION_WORDS = ("player", "match", "session")


def parse_score(line: str) -> Score:
    """A line such as ``SCORE:-20050|20050:Ann|Bo``.

    Raises:
        NotationError: it is not one.
    """
    fields = line.rstrip("\r\n").split(":", 2)
    if len(fields) != 3 or fields[0] != "SCORE":
        raise NotationError(f"{line.rstrip()!r} is not a score: expected SCORE:totals:names")
    totals = tuple(parse_chips(t) for t in fields[1].split("|"))
    names = tuple(fields[2].split("|"))
    if len(totals) != len(names):
        raise NotationError(f"{line.rstrip()!r} has {len(totals)} totals and {len(names)} names: expected as many")
    return Score(totals, names)


def format_score(score: Score) -> str:
    """The text of a score line."""
    return f"SCORE:{'|'.join(format_chips(t) for t in score.totals)}:{'|'.join(score.names)}"


def text_kind(text: str) -> str | None:
    """The kind of a line other than a hand: ``comment``, ``section``, ``score`` or ``blank``; None for other lines."""
    if not text:
        return "blank"
    if text[0] in "#;":
        word, _, rest = text[1:].strip().partition(" ")
        return "section" if word in SECTION_WORDS and rest.strip() else "comment"
    if text.startswith("SCORE:"):
        return "score"
    return None


def section_title(text: str) -> str:
    """The title of a section mark: ``# player Pro07`` -> ``player Pro07``."""
    return text[1:].strip()


def detect_game(lines: Iterable[str]) -> GameChoice:
    """The game of these lines of a log (see :func:`choose_game`).

    Raises:
        ConfigError: no usual game fits, or there is no hand.
    """
    header = None
    hands: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        if line.startswith("STATE:"):
            hands.append((number, line))
        elif header is None:
            header = header_game(line)
    sample = sample_of([(n, h.rstrip("\r\n").split(":", 5)) for n, h in hands], header, len(hands))
    if sample is None:
        raise ConfigError("there is no whole hand in the log: expected lines STATE:hand:betting:cards:payoffs:names")

    def fits(spec: GameSpec) -> tuple[int, int]:
        good = replayed = 0
        for _, hand in hands:
            try:
                record = parse_acpc_padded(hand, spec)[0]
                good += record.replay().payoffs.tolist() == list(record.payoffs)
            except DupaiError:
                continue
            replayed += 1
        return good, replayed

    return choose_game(sample, fits)


def sample_of(lines: Sequence[tuple[int, list[str]]], header: str | None, hands: int) -> LogSample | None:
    """The sample by which the game of some hands is chosen, from their line numbers and fields (split at the first five
    colons); None where no line has six fields. ``hands`` is the number of hands that each game is tried on."""
    whole = [(n, f) for n, f in lines if len(f) == 6 and f[0] == "STATE"]
    if not whole:
        return None
    counts = [f[5].count("|") + 1 for _, f in whole]
    lost = [int(m) for _, f in whole for m in _LOSS.findall(f[4])]
    number, fields = whole[0]
    return LogSample(
        players=max(set(counts), key=counts.count),
        limit=is_limit(f[2] for _, f in whole),
        header=header,
        hands=hands,
        least=min(lost, default=0),
        most=max(lost, default=0),
        first=(number, ":".join(fields)),
    )


def is_limit(bettings: Iterable[str]) -> bool:
    """Whether raises are written without numbers (a log without any raise counts as no-limit)."""
    sized = [after[:1].isdigit() for betting in bettings for after in betting.split("r")[1:]]
    return 2 * sum(sized) < len(sized)


def read_acpc_entries(lines: Iterable[str], spec: GameSpec | None = None) -> Iterator[AcpcEntry]:
    """Every line of a log in order, as an entry of its kind. :func:`write_acpc` gives the same lines back.

    Args:
        lines: The log, with or without line ends (an open text file will do).
        spec: The game; None: the one that the header names or that fits the first hands.

    Raises:
        ConfigError: ``spec`` is None and no usual game fits.
    """
    source = iter(lines)
    if spec is None:
        first = list(islice(source, _SAMPLE))
        spec = detect_game(first).spec
        source = chain(first, source)
    section = ""
    for number, line in enumerate(source, 1):
        text = line.rstrip("\r\n")
        kind = text_kind(text)
        if kind is not None:
            if kind == "section":
                section = section_title(text)
            yield AcpcText(number, kind, text)
            continue
        try:
            record, padding = parse_acpc_padded(text, spec, section=section)
        except DupaiError as error:
            yield AcpcError(number, text, str(error))
        else:
            yield AcpcHand(number, record, padding)


def read_acpc(
    lines: Iterable[str],
    spec: GameSpec | None = None,
    *,
    source: str = "log",
    errors: list[AcpcError] | None = None,
) -> Iterator[HandRecord]:
    """The hands of a log; ``section`` of each record is the mark it stands under (``player Pro07``).

    A bad line goes to ``errors`` and the rest is still read; without a list for them it is raised.

    Raises:
        HistoryError: a bad line, when ``errors`` is None; names ``source`` and line.
        ConfigError: ``spec`` is None and no usual game fits.
    """
    for entry in read_acpc_entries(lines, spec):
        if isinstance(entry, AcpcHand):
            yield entry.record
        elif isinstance(entry, AcpcError):
            if errors is None:
                raise HistoryError(f"{source}:{entry.line}: {entry.error}")
            errors.append(entry)


def write_acpc(entries: Iterable[AcpcEntry | HandRecord]) -> Iterator[str]:
    """The lines (without line ends) of a log. Plain records get section marks where their section changes.

    Raises:
        NotationError: a record holds something that such a log cannot.
    """
    section = ""
    for entry in entries:
        if isinstance(entry, HandRecord):
            if entry.section != section:
                section = entry.section
                yield f"# {section}"
            yield format_acpc(entry)
        elif isinstance(entry, AcpcHand):
            section = entry.record.section
            yield format_acpc(entry.record, padding=entry.padding)
        else:
            yield entry.text
