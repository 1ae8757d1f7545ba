"""Settings of a format of play: one struct each, from which the Python call, the command's options, TOML files and what
results carry are derived."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, TypeVar

import msgspec
from msgspec import UNSET, UnsetType

from dupai.arena._hand import TableRules
from dupai.base import ConfigError, FileError, NotationError, Option
from dupai.base.files import read_text, read_toml_file
from dupai.base.specs import fields_of, settings_of
from dupai.base.text import nearest, number_text, whole_number
from dupai.rules import GameSpec, HandState, load_game


def load_deals(file: str | os.PathLike[str]) -> tuple[str, ...]:
    """The deals of a text file, one a line: hole cards by position and the whole board as ACPC writes them,
    ``AsKd|7h7c/2c3d4h/5s/6d``. Lines of an ACPC log give their cards; empty lines and ``#`` comments are skipped.

    Raises:
        FileError: it cannot be read or is not text.
        ConfigError: it holds no deal.
    """
    deals = []
    for line in map(str.strip, read_text(file, "deals").splitlines()):
        if not line or line.startswith(("#", "SCORE")):
            continue
        fields = line.split(":")
        deals.append(fields[3] if fields[0] == "STATE" and len(fields) > 3 else line)
    if not deals:
        raise ConfigError(f"deals {str(file)!r} holds no deal: expected lines such as AsKd|7h7c/2c3d4h/5s/6d")
    return tuple(deals)


def state_of_deal(spec: GameSpec, text: str, seats: Sequence[int] | None = None, hand: int = 0) -> HandState:
    """A hand with the cards of ``text``.

    Raises:
        NotationError: it is not the cards of so many players and a whole board.
        RulesError: a card twice.
    """
    holes, *streets = text.split("/")
    hole = holes.split("|")
    board = "".join(streets)
    if len(hole) != spec.players or any(len(h) != 4 for h in hole) or len(board) != 10:
        raise NotationError(f"cards {text!r}: expected {spec.players} hands of two cards and a board of five")
    return HandState(spec, hole=hole, board=board, seats=seats, hand=hand)


#: Seeds are numbers that JSON files keep.
MAX_SEED = 2**63 - 1
#: Limits of counts that have none of their own: years of play, and units of work of which the list fits into memory.
MAX_HANDS, MAX_COUNT = 10**9, 10**7


def check_count(key: str, value: Any, low: float, high: float | None = None) -> None:
    """Refuse a whole number outside its limits.

    Raises:
        ConfigError: names the key.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < low or (high is not None and value > high):
        # As whole numbers: a float would round the largest seed.
        limits = f"{int(low)} or more" if high is None else f"{int(low)} to {int(high)}"
        raise ConfigError(f"{key} = {value!r}: expected {limits}", key=key)


def check_stakes(blinds: Sequence[int], stack: int) -> tuple[int, int]:
    """The blinds as a pair.

    Raises:
        ConfigError: they make no sense, or the stack is below the big blind.
    """
    whole = len(blinds) == 2 and all(isinstance(b, int) for b in blinds)
    if not whole or not 0 <= blinds[0] <= blinds[1] or not blinds[1]:
        raise ConfigError(f"blinds = {tuple(blinds)}: expected small and big blind, as 20/40", key="blinds")
    check_count("stack", stack, 1)
    if stack < blinds[1]:
        raise ConfigError(f"stack = {stack} is below the big blind of {blinds[1]}", key="stack")
    return blinds[0], blinds[1]


def blinds_of(text: str, folder: Path | None = None) -> tuple[int, int]:
    """``20/40`` as numbers.

    Raises:
        NotationError: it is something else.
    """
    small, big = (whole_number(t.strip()) for t in text.partition("/")[::2])
    if small is None or big is None:
        raise NotationError(f"--blinds {text!r}: expected small and big blind in chips, as 20/40", text=text)
    return small, big


class PlaySettings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all formats have in common.

    Attributes:
        agents: specs.
        labels: their names in this run, unique; filled in when the agents are checked.
        seed: random numbers come from ``Rng(seed, match, hand, stream)``.
        key: takes the place of the seed for cards and agents; drawn where an agent of another package plays.
        rules: what happens to an agent that breaks the rules, and its clocks.
        files: files that the specs name, each with its digest. Once checked.
    """

    #: Arguments of the command that name the agents: name, help, and whether there may be several.
    arguments: ClassVar[tuple[tuple[str, str, bool], ...]] = (
        ("agents", "2 to 10 agent specs, as rules style:LA.", True),
    )
    #: Options that set aside others, which a file has.
    sets_aside: ClassVar[Mapping[str, tuple[str, ...]]] = {}

    agents: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    seed: Annotated[int, Option("Seed of cards, seats and agents.", short="-s", low=0, high=MAX_SEED)] = 1
    key: Annotated[
        str, Option("Secret of cards and agents instead of the seed. [default: drawn if a foreign agent plays]")
    ] = ""
    rules: TableRules = TableRules()
    files: tuple[str, ...] = ()


class StakesSettings(PlaySettings, frozen=True, kw_only=True):
    """Formats whose stacks are reset every hand.

    Attributes:
        game: a spec, or the name or file of an ACPC game, instead of ``blinds`` and ``stack`` (no-limit). Once
            checked it is the spec, and the other two are not set.
        blinds, stack: small and big blind, and chips at the start of every hand; default 50/100 and 20,000.
        luck_reduced: luck is computed hand by hand, and means without it are value too.
    """

    sets_aside: ClassVar[Mapping[str, tuple[str, ...]]] = {"game": ("blinds", "stack")}

    game: Annotated[
        str | GameSpec | None, Option("ACPC game by name, as holdem.limit.2p, or a .game file; else no-limit.")
    ] = None
    blinds: Annotated[
        tuple[int, int] | UnsetType | None, Option("Small and big blind. [default: 50/100]", read=blinds_of)
    ] = UNSET
    stack: Annotated[int | UnsetType | None, Option("Chips at the start of every hand. [default: 20000]")] = UNSET
    luck_reduced: Annotated[bool, Option("Give means without the luck of the cards as well.", short="-l")] = False

    def spec(self, players: int) -> GameSpec:
        """The game for so many players: the one named, or no-limit with these blinds and stacks under ACPC rules.

        Raises:
            ConfigError: it makes no sense, or is for another number of players.
        """
        if self.game is None:
            blinds, stack = self.blinds or (50, 100), 20_000 if self.stack in (None, UNSET) else self.stack
            assert isinstance(stack, int)
            return GameSpec.no_limit(players, check_stakes(blinds, stack), stack, odd_chips="acpc", min_raise="acpc")
        if self.blinds or isinstance(self.stack, int):
            raise ConfigError("--game holds blinds and stacks: expected it without --blinds and --stack", key="game")
        spec = load_game(self.game) if isinstance(self.game, str) else self.game
        if spec.players != players:
            raise ConfigError(f"the game is for {spec.players} players, {players} are given", key="game")
        if not spec.big_blind:
            raise ConfigError("the game has no blinds: results in mbb/hand need a big blind", key="game")
        return spec


def read_deals(text: str, folder: Path) -> tuple[str, ...]:
    """The deals of a file (:func:`load_deals`)."""
    return load_deals(folder / text)


S = TypeVar("S", bound=msgspec.Struct)
P = TypeVar("P", bound=PlaySettings)
F = TypeVar("F", bound=Callable[..., Any])


def check_limits(settings: PlaySettings) -> None:
    """Refuse whole numbers outside the limits of their options.

    Raises:
        ConfigError: names the key.
    """
    for field in fields_of(type(settings)):
        value: Any = getattr(settings, field.name, None)
        if field.option.low is not None and not field.group and (value, field.default) != (None, None):
            check_count(field.name, value, field.option.low, field.option.high)
            most = MAX_HANDS if "hands" in field.name else MAX_COUNT
            if field.option.high is None and value > most:
                raise ConfigError(f"{field.name} = {number_text(value)}: expected at most {most:,}", key=field.name)


def load_settings(file: str | os.PathLike[str] | None, kind: type[S], options: Mapping[str, Any] | None = None) -> S:
    """Settings from a TOML file, with ``options`` (as a command has them) set over them.

    Args:
        file: keys are the names of the command's options without dashes, and ``agents``; None: ``options`` alone.
        kind: the format's settings.
        options: by the same names.

    Raises:
        FileError: the file cannot be read, is no TOML, or has a key or value that makes no sense; names it.
        ConfigError: an option has a value that makes no sense.
    """
    options = options or {}
    where = f"configuration {os.fspath(file)!r}" if file is not None else "settings"
    try:
        written: dict[str, Any] = {}
        if file is not None:
            written = read_toml_file(file, "configuration")
        for name, others in getattr(kind, "sets_aside", {}).items():
            if name in options:
                written = {key: value for key, value in written.items() if key not in others}
        # What the command line says itself is not read from the file, with all that comes with it.
        written = {key: value for key, value in written.items() if key not in options}
        values = settings_of(kind, written, Path(file or "").parent)
        for key, value in settings_of(kind, options).items():
            values[key] = values.get(key, {}) | value if isinstance(value, dict) else value
        return msgspec.convert(values, kind, strict=True)
    except ConfigError as error:
        if file is None or error.key in options:
            raise
        raise FileError(f"{where}: {error}", path=file, key=error.key) from None
    except msgspec.ValidationError as error:
        message = str(error)
        unknown = re.search(r"unknown field `(.*?)`", message)
        if unknown is not None:
            keys = ["agents", *(field.option.name or field.name for field in fields_of(kind))]
            hint = nearest(unknown[1], keys, f"expected {', '.join(keys)}")
            message = f"unknown key {unknown[1]!r}: {hint}"
        if file is None:
            raise ConfigError(message) from None
        raise FileError(f"{where}: {message}", path=file) from None


def made_settings(kind: type[P], settings: P | None, options: Mapping[str, Any]) -> P:
    """Settings as a Python call has them: a struct, keywords, or a struct with keywords set over it.

    Raises:
        TypeError: there is no such keyword.
        ConfigError: a number is outside its limits.
    """
    chosen = {key: value for key, value in options.items() if (key, value) != ("rules", None)}
    made = kind(**chosen) if settings is None else msgspec.structs.replace(settings, **chosen)
    check_limits(made)
    return made


def _place(*, jobs: int = 1, progress: Any = None, backend: Any = None, store: Any = None) -> None:
    """The signature of where a format is played."""


def takes_settings(kind: type[PlaySettings], *, plays: bool = True) -> Callable[[F], F]:
    """Decorate a function with ``settings`` and ``**options``: its signature names the fields of ``kind`` as keywords,
    and where it is played (``plays``)."""

    def decorate(function: F) -> F:
        own = [p for p in inspect.signature(function).parameters.values() if p.kind is not p.VAR_KEYWORD]
        first = [p for p in own if p.kind is not p.KEYWORD_ONLY]
        place = [p for p in own if p.kind is p.KEYWORD_ONLY]
        if plays and not place:
            place = list(inspect.signature(_place).parameters.values())
        fields = [
            inspect.Parameter(f.name, inspect.Parameter.KEYWORD_ONLY, default=f.default)
            for f in msgspec.structs.fields(kind)
            if f.name not in ("agents", "labels", *getattr(kind, "no_options", ()), *(p.name for p in own))
        ]
        function.__signature__ = inspect.Signature([*first, *fields, *place])  # type: ignore[attr-defined]
        return function

    return decorate
