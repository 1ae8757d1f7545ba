"""A whole ACPC log, line by line: hands, comments, section marks, scores, and lines that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice

import msgspec

from dupai.base import ConfigError, DupaiError, HistoryError, NotationError
from dupai.notation._acpc import format_acpc, parse_acpc_line, parse_acpc_padded
from dupai.notation._chips import format_chips, parse_chips
from dupai.rules import MAX_PLAYERS, UNLIMITED, GameSpec, HandRecord, load_game

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
    texts = list(lines)
    header = next(filter(None, map(header_game, texts)), None)
    hands = [(number, line) for number, line in enumerate(texts, 1) if line.startswith("STATE:")]
    sample = sample_of([(n, h.rstrip("\r\n").split(":", 5)) for n, h in hands], header, len(hands))

    def fits(spec: GameSpec) -> tuple[int, int]:
        good = replayed = 0
        for _, hand in hands:
            try:
                record = parse_acpc_padded(hand, spec)[0]
                good += record.at().payoffs.tolist() == list(record.payoffs)
            except DupaiError:
                continue
            replayed += 1
        return good, replayed

    return choose_game(sample, fits)


def sample_of(lines: Sequence[tuple[int, list[str]]], header: str | None, hands: int) -> LogSample:
    """The sample by which the game of some hands is chosen, from their line numbers and fields (split at the first five
    colons). ``hands`` is the number of hands that each game is tried on.

    Raises:
        ConfigError: no line has six fields.
    """
    whole = [(n, f) for n, f in lines if len(f) == 6 and f[0] == "STATE"]
    if not whole:
        raise ConfigError("there is no whole hand in the log: expected lines STATE:hand:betting:cards:payoffs:names")
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
        spec: The game; None: the one that the header names or that fits the hands of the first 400 lines.

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
    lines: Iterable[str], spec: GameSpec | None = None, *, source: str = "log", errors: list[AcpcError] | None = None
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


# which game ----------------------------------------------------------------------------------------------------------


class GameChoice(msgspec.Struct, frozen=True):
    """The game chosen for a log: ``spec``, its ``name`` in words, and ``why`` it was chosen."""

    spec: GameSpec
    name: str
    why: str


@cache
def usual_games(players: int, limit: bool) -> tuple[tuple[str, GameSpec], ...]:
    """The games tried for a log that names none, the likeliest first: (name in words, game)."""
    shipped = f"holdem.{'limit' if limit else 'nolimit'}.{players}p"
    stakes = [] if limit else [((1, 2), 200), ((50, 100), 10_000)]
    games = (_acpc_game(players, *stake) for stake in (stakes if players == 2 else reversed(stakes)))
    return ((shipped, load_game(shipped, files=False)), *((game_words(spec), spec) for spec in games))


def _acpc_game(players: int, blinds: tuple[int, int], stack: int, bet_sizes: tuple[int, ...] = ()) -> GameSpec:
    """A game under the ACPC's rules; ``bet_sizes`` are those of a limit game."""
    if bet_sizes:
        return GameSpec.limit(players, blinds, bet_sizes, stack, odd_chips="acpc", min_raise="acpc")
    return GameSpec.no_limit(players, blinds, stack, odd_chips="acpc", min_raise="acpc")


def game_words(spec: GameSpec) -> str:
    """A game in a few words: ``no-limit, 2 players, blinds 50/100, stacks 20000``."""
    blinds = "/".join(str(b) for b in sorted(b for b in spec.blinds if b))
    stacks = sorted(set(spec.stacks))
    parts = [spec.betting, f"{spec.players} players", f"blinds {blinds or 'none'}"]
    if any(spec.antes):
        parts.append(f"antes {'/'.join(map(str, sorted(set(spec.antes))))}")
    if spec.betting == "limit":
        parts.append(f"bets {'/'.join(map(str, spec.bet_sizes))}")
    if stacks != [UNLIMITED]:
        parts.append("stacks " + "/".join(map(str, stacks)))
    return ", ".join(parts)


def header_game(line: str) -> str | None:
    """The game that a header line ``# name/game/hands/seed NAME GAME HANDS SEED`` names, None for another line."""
    words = line.lstrip("#; ").split()
    return words[-3] if len(words) >= 5 and words[0] == "name/game/hands/seed" else None


class LogSample(msgspec.Struct, frozen=True):
    """What a game is chosen by: ``players`` and whether it is ``limit``; the ``header``'s game; the number of
    ``hands``; the ``least`` and ``most`` chips that anybody lost; number and text of the ``first`` hand's line."""

    players: int
    limit: bool
    header: str | None
    hands: int
    least: int
    most: int
    first: tuple[int, str]


def _guessed_games(sample: LogSample) -> tuple[tuple[str, GameSpec], ...]:
    """Games whose small blind is the smallest loss (a small blind given up), twice that the big blind, and whose stacks
    are the largest loss or, where nobody was all-in, beyond reach."""
    small, n = sample.least, sample.players
    if small < 1:
        return ()
    sizes = (2 * small, 2 * small, 4 * small, 4 * small) if sample.limit else ()
    stacks = dict.fromkeys((max(sample.most, 2 * small), UNLIMITED))
    games = (_acpc_game(n, (small, 2 * small), stack, sizes) for stack in stacks)
    return tuple((game_words(spec), spec) for spec in games)


def choose_game(sample: LogSample, fits: Callable[[GameSpec], tuple[int, int]]) -> GameChoice:
    """Choose the game under which most hands of a sample reconcile; ``fits(spec)`` returns how many hands reconcile and
    how many replay at all.

    Games are tried in turn until every hand fits: the one that the header names, :func:`usual_games`, games with the
    stakes that the hands suggest. If no hand reconciles under any of them, the header's game is chosen, or the one
    under which most hands replay if those are the majority.

    Raises:
        ConfigError: neither; names the games tried and says what is wrong with the first hand.
    """
    tried: list[tuple[str, GameSpec, str]] = []
    unknown = ""
    named = False
    header, n = sample.header, sample.players
    if header is not None:
        try:
            spec = load_game(header, files=False)
            named = spec.players == n
            if named:
                tried.append((header, spec, f"named by the header ({header})"))
        except ConfigError as error:
            unknown = f"the header names {header!r}, which is not known here ({error}); "
    if 2 <= n <= MAX_PLAYERS:
        tried += [(name, spec, "") for name, spec in (*usual_games(n, sample.limit), *_guessed_games(sample))]
    best, most = None, (0, sample.hands // 2)
    for name, spec, why in tried:
        count = fits(spec)
        if count > most:
            best, most = GameChoice(spec, name, why or f"inferred: {count[0]} of {sample.hands} hands fit"), count
        if count[0] == sample.hands:
            break
    if best is None and named:
        name, spec, why = tried[0]
        return GameChoice(spec, name, why)
    if best is None:
        line, text = sample.first
        kind = f"{n} players, {'limit' if sample.limit else 'no-limit'}"
        wrong = _what_is_wrong(text, tried[0][1]) if tried else f"there are {n} players, expected 2 to {MAX_PLAYERS}"
        raise ConfigError(
            f"{unknown}no usual hold'em game fits these hands ({kind}; tried: {'; '.join(t[0] for t in tried)}): "
            f"say which it is with --game FILE or --game NAME; line {line}: {wrong}"
        )
    return best


def _what_is_wrong(line: str, spec: GameSpec) -> str:
    try:
        record = parse_acpc_line(line, spec)
        return f"payoffs {record.payoffs} are not {tuple(record.at().payoffs.tolist())} (in 1/{spec.split} chip)"
    except DupaiError as error:
        return str(error)
