"""A hand of a site's text in the making: what its lines say, then played by our rules and compared with its money."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise

from msgspec import UNSET

from dupai.base import DupaiError, HistoryError, NotationError, RulesError
from dupai.cards import NO_CARD, cards_text
from dupai.notation._check import check_record, check_unstated_rake
from dupai.notation.sites._said import NUMBER, betting_of, card_numbers, chips_of, date_of
from dupai.rules import BOARD_CARDS, RAISE, STREET_WORDS, UNLIMITED, Action, GameSpec, HandRecord, HandState

#: Events of a player that put chips in before the cards are dealt, and those that are decisions.
_POSTS = frozenset(("ante", "small", "big", "post", "dead", "both", "straddle"))
_ACTS = frozenset(("fold", "check", "call", "bet", "raise", "raise to", "all-in", "all-in to", "call to"))
_CALLS = ("check", "call", "call to")
_OF_PLAYERS = _POSTS | _ACTS | {"whole", "hero", "dealt", "show", "muck", "collect", "return"}
_TAKEN = re.compile(
    r"\| *(Rake|Jackpot|JP|Bingo|Fortune|Tax|Fee|Promo)\w*(?: Rake| Fee)? +[^\d|]{0,4}(\d(?:[\d.,]*\d)?)", re.IGNORECASE
)


class Draft:
    """What the text of one hand says, event by event.

    A site's module sets the attributes and calls the methods in the order of the text; :meth:`record` ends it. Chips
    are whole units: cents where ``scale`` is 100.

    Attributes:
        site, scale: The site's name; units in one chip as the text writes it.
        number, table: As the text says them.
        betting, blinds, bets: The betting; small and big blind (0: not said); limit: small and big bet.
        cap: Most chips that a player may put in in a cap game, 0 without one.
        seats: Seat number and stack by name.
        button: Number of the seat with the button, None where the text does not say it.
        line: Number of the line just read.
        about: Further facts as TOML texts.
        order: Places of the players from the small blind to the button, where the text's names tell them.
        guests: Whether somebody may post who is in no list of seats: who comes to the table between two hands.
        silent: Whether blinds are put in that no line tells (with ``blinds`` and ``button``).
        live_small: Whether a second small blind is live.
        untold: Whether the text leaves out winners of some pots: then the rules say who won.
        first_seat: The lowest number of a seat at the site.
        wins_uncalled: Whether what players win includes bets that nobody called; None: the sums tell.
    """

    def __init__(self, site: str, scale: int) -> None:
        self.site, self.scale = site, scale
        self.number = self.table = ""
        self.betting = "no-limit"
        self.blinds = self.bets = (0, 0)
        self.cap = 0
        self.seats: dict[str, tuple[int, int]] = {}
        self.taken: dict[int, str] = {}
        self.button: int | None = None
        self.line = 0
        self.about: dict[str, str] = {}
        self.wins_uncalled: bool | None = None
        self.untold = False
        self.first_seat = 1
        self.order: dict[str, int] = {}
        self.silent = self.live_small = self.guests = False
        self.hero = ""
        self.boards: list[list[int]] = [[]]
        self.pot: int | None = None
        self.rake: int | None = None
        self.fees: dict[str, int] = {}
        self.posts: list[tuple[str, str, int]] = []
        self.acts: list[tuple[int, int, str, str, int | None]] = []
        self.holes: dict[str, list[int]] = {}
        self.shown: set[str] = set()
        self.mucked: dict[str, list[int]] = {}
        self.won: dict[str, int] = {}
        self.returned: dict[str, int] = {}

    # what the text says ----------------------------------------------------------------------------------------------

    def chips(self, text: str) -> int:
        """An amount: ``1,234.50``, ``1.234,50`` and ``1234`` are read.

        Raises:
            NotationError: it is no whole number of units.
        """
        return chips_of(text, self.scale)

    def head(self, pattern: re.Pattern[str], text: str) -> re.Match[str]:
        """The header of a hand, of which the groups that :meth:`facts` knows are taken over.

        Raises:
            NotationError: the text does not begin with one; where another game is named, names it.
        """
        found = pattern.match(text)
        if found is None:
            self.game(text.partition("\n")[0])
            raise NotationError("its header is not read")
        self.facts(found)
        return found

    def facts(self, found: re.Match[str] | None) -> None:
        """Set what the groups of a match say, if any: ``brand`` (the site), ``number``, ``table``, ``button``,
        ``game``, ``small`` and ``big``, ``event`` (a tournament), ``date``.

        Raises:
            NotationError: the game is not hold'em, or an amount is none.
        """
        said = {} if found is None else found.groupdict()
        if said.get("game"):
            self.game(said["game"])
        for key, text in said.items():
            if not text:
                continue
            if key in ("number", "table"):
                setattr(self, key, text)
            elif key == "brand":
                self.site = text
            elif key == "button":
                self.button = int(text)
            elif key == "small":
                small = NUMBER.search(text)
            elif key == "big" and small and (big := NUMBER.search(text)):
                self.stakes(small[0], big[0])
            elif key == "event":
                self.about["_tournament"] = text if text.isdigit() else _toml(text)
            elif key == "date":
                self.played(text)

    def game(self, words: str) -> None:
        """Set the betting by the words of a header.

        Raises:
            NotationError: the game is not hold'em; names it.
        """
        self.betting = betting_of(words)

    def stakes(self, small: str, big: str) -> None:
        """Set the blinds, or in limit the bets and the usual blinds of them, by the stakes of a header."""
        low, high = self.chips(small), self.chips(big)
        self.blinds = (low, high)
        if self.betting == "limit":
            self.bets, self.blinds = (low, high), (0, low)

    def played(self, text: str) -> None:
        """Set the date and the time by the first ones in a text, if any."""
        self.about |= date_of(text)

    def seat(self, name: str, number: int, stack: int) -> None:
        """A player at the table, who need not be dealt in.

        Raises:
            NotationError: two of them have one name or one seat.
        """
        if self.taken.setdefault(number, name) != name or self.seats.setdefault(name, (number, stack))[0] != number:
            raise NotationError(f"two players in one seat or of one name: {name!r} in seat {number}")

    def event(self, kind: str, name: str = "", chips: int | None = None, cards: str = "", run: int = 0) -> None:
        """One event of the text; ``docs/contribute/site-format.md`` lists the kinds.

        Raises:
            NotationError: its player is not at the table.
        """
        if kind == "leave":
            if not any(name == event[0] for event in self.posts) and not any(name == act[2] for act in self.acts):
                return
            kind = "fold"
        if self.guests and kind in _POSTS:
            self.seats.setdefault(name, (-1, 0))
        if name not in self.seats and (name or kind in _OF_PLAYERS):
            at = f"{name!r} is not at the table ({', '.join(self.seats)})"
            raise NotationError(at if self.seats else "the text says no seats and stacks")
        if kind in _ACTS:
            self.acts.append((self.line, len(self.boards[0]), name, kind, chips))
        elif kind in _POSTS:
            self.posts.append((name, kind, chips or 0))
        elif kind == "board":
            self._board(card_numbers(cards), run)
        elif kind == "all cards":
            if len(self.boards) == 1 and len(self.boards[0]) in (3, 4):
                self._board(card_numbers(cards), 0)
        elif kind in ("hero", "dealt", "show", "muck"):
            self._cards(kind, name, card_numbers(cards))
        elif kind in ("collect", "return"):
            if cards:
                self._cards("show", name, card_numbers(cards))
            of = self.won if kind == "collect" else self.returned
            of[name] = of.get(name, 0) + (chips or 0)
        elif kind == "rake":
            self.rake = (self.rake or 0) + (chips or 0)
        elif kind == "pot":
            self.pot = chips
            for word, amount in _TAKEN.findall(cards):
                self.event(word.lower().replace("jp", "jackpot"), chips=self.chips(amount))
        elif kind == "cash-out":
            self.about["_cash_out"] = str(int(self.about.get("_cash_out", "0")) + (chips or 0))
        elif kind == "whole":
            if self.acts and self.acts[-1][2] == name and self.acts[-1][3] != "fold":
                line, opened, _, act, put = self.acts[-1]
                self.acts[-1] = (line, opened, name, "all-in to" if act.endswith(" to") else "all-in", put)
        elif kind == "stop":
            raise NotationError(cards or "the hand was cancelled")
        else:
            self.fees[kind] = self.fees.get(kind, 0) + (chips or 0)

    def _board(self, cards: list[int], run: int) -> None:
        while len(self.boards) <= run:
            self.boards.append(list(self.boards[0][: 5 - len(cards)] if len(cards) < 3 else []))
        board = self.boards[run]
        if cards and cards == board[-len(cards) :]:
            return
        repeated = sorted(cards[: len(board)]) == sorted(board)  # in any order
        board = board + (cards[len(board) :] if repeated else cards)
        if len(board) not in BOARD_CARDS:
            raise NotationError(f"{len(board)} cards on the board: expected 3, 4 or 5")
        self.boards[run] = board

    def _cards(self, kind: str, name: str, cards: list[int]) -> None:
        if kind == "hero":
            self.hero = name
        if kind == "muck":
            if len(cards) == 2:
                self.mucked[name] = cards
            return
        held = self.holes.setdefault(name, [])
        if kind == "hero" and len(cards) == len(held) == 1:  # dealt one by one
            cards = held + cards
        if len(held) < len(cards):
            if not set(held) <= set(cards):
                raise NotationError(f"{name!r} holds other cards than before")
            self.holes[name] = cards
        elif not set(cards) <= set(held):
            raise NotationError(f"{name!r} holds other cards than before")
        if len(cards) > 2:
            raise NotationError(f"{len(cards)} hole cards: not hold'em")
        if kind == "show":
            self.shown.add(name)

    # the hand by our rules -------------------------------------------------------------------------------------------

    def record(self) -> tuple[HandRecord, bool]:
        """The hand, replayed and compared with its money; and whether its winners were recomputed.

        Raises:
            NotationError: it cannot be played as it is written.
            HistoryError: its money is not what its betting gives.
            RulesError: an action is not legal where it stands, or a card is out twice.
        """
        failed: DupaiError | None = None
        line = 0
        for _ in self._settings():
            try:
                return self._record()
            except DupaiError as error:
                failed, line = failed or error, line or self.line
        self.line = line
        raise failed or NotationError("there is no free seat for somebody who posts")

    def _settings(self) -> Iterator[None]:
        """Set up the hand in each way that the text leaves open, the likeliest first."""
        posts = self.posts
        posters = {name for name, _, _ in posts}
        guest = next((name for name in posters if not self.seats[name][1]), None) if self.guests else None
        if guest is not None:
            # A seat that is free where the order of play fits, and as many chips as anybody has.
            self.about["_guest"] = _toml(guest)
            seat, chips = self.seats[guest][0], max(stack for _, stack in self.seats.values())
            for free in [seat] if seat >= 0 else sorted({*range(1, 11)} - {taken for taken, _ in self.seats.values()}):
                self.seats[guest] = (free, chips)
                yield
        elif self.silent and self.button is not None and not any(kind in ("small", "big") for _, kind, _ in posts):
            acting = {name for _, _, name, _, _ in self.acts}
            for names in (self.seats, acting & {*self.seats}):  # who only sits there may not be dealt in
                self.posts = posts + self._silent_posts(names, self.button)
                yield
        else:
            yield
            first = {name: kind for _, cards, name, kind, _ in reversed(self.acts) if not cards}
            late = [name for name, kind in first.items() if kind == "check" and name not in posters]
            if (
                self.guests and len(late) == 1
            ):  # a blind that no line tells, where the sums say that the small one is too
                said = {kind: chips for _, kind, chips in posts}
                small, big = said.get("small", self.blinds[0]), said.get("big", self.blinds[1])
                self.posts = [*posts, (late[0], "post", big)]
                with suppress(DupaiError):
                    self._record()
                    return
                self.posts = [*posts, (late[0], "both", small + big)]
                self.about["_silent"] = _toml(late[0])
                yield

    def _record(self) -> tuple[HandRecord, bool]:
        names = self._positions()
        spec, stacks = self._spec(names)
        holes = tuple((*self.holes.get(n, ()), NO_CARD, NO_CARD)[:2] for n in names)
        low = min(self.first_seat, *(self.seats[n][0] for n in names))
        seats = tuple(self.seats[n][0] - low for n in names)
        if max(seats) > 127 or sum(a > b for a, b in pairwise(seats)) > 1:
            seats = tuple(range(len(names)))  # no places at one table: those of a tournament
        number = int(self.number) if self.number.isdecimal() and len(self.number) < 19 else 0
        state = HandState(spec, holes, self.boards[0], stacks, seats, number)
        put, beyond = self._play(state, names)
        opened = BOARD_CARDS[state.street] if not state.showdown else 5
        if len(self.boards[0]) > opened:
            raise NotationError(f"{len(self.boards[0])} cards are on the board and the betting opens {opened}")
        payoffs, rake, stated = self._payoffs(state, names, put, beyond)
        record = HandRecord(
            spec=spec,
            hand=number,
            stacks=stacks,
            hole=holes,
            board=tuple(self.boards[0]),
            actions=tuple(action for _, _, action in state.actions),
            payoffs=payoffs,
            names=tuple(names),
            seats=seats,
            shown=tuple(n in self.shown for n in names),
            rake=rake,
            mucked=tuple((*self.mucked.get(n, (NO_CARD, NO_CARD)),) for n in names) if self.mucked else (),
            hero=names.index(self.hero) if self.hero in names else None,
            about=self._about(number),
        )
        if not stated:
            check_unstated_rake(record, state)
        return record, check_record(record, state, text=True) and bool(self.won) and not self.untold

    def _silent_posts(self, names: Iterable[str], button: int) -> list[tuple[str, str, int]]:
        """The blinds of those who are dealt in, where no line tells them."""
        ring = sorted(names, key=lambda name: (self.seats[name][0] - button - 1) % 1000)
        if len(ring) == 2:
            ring = ring[::-1]
        posts = [(name, "ante", 0) for name in ring]
        for name, kind, chips in zip(ring, ("small", "big"), self.blinds, strict=False):
            left = self.seats[name][1] - sum(c for n, _, c in self.posts if n == name)
            if left > 0:
                posts.append((name, kind, min(chips, left)))
        return posts

    def _about(self, number: int) -> tuple[tuple[str, str], ...]:
        about = {"venue": _toml(self.site)}
        if self.table:
            about["table"] = _toml(self.table)
        about |= self.about
        if self.number and str(number) != self.number:
            about["hand"] = _toml(self.number)
        if self.scale > 1:
            about["_unit"] = '"cent"'
        about |= {f"_{k.replace(' ', '_')}": str(v) for k, v in self.fees.items() if v}
        if len(self.boards) > 1:
            about["_boards"] = json.dumps(list(map(cards_text, self.boards[1:])))
        return tuple(about.items())

    def _positions(self) -> list[str]:
        """Who is dealt in, by position."""
        dealt = dict.fromkeys([name for name, _, _ in self.posts] + [a[2] for a in self.acts] + [*self.holes])
        ring = sorted(dealt, key=lambda name: self.seats[name][0])
        if not 2 <= len(ring) <= 10:
            raise NotationError(f"{len(ring)} players: expected 2 to 10 who post or act")
        if self.order:
            ring.sort(key=lambda name: self.order.get(name, 0))
            return ring[::-1] if len(ring) == 2 and self.order[ring[0]] == min(self.order.values()) < -1 else ring
        small, big = (next((name for name, kind, _ in self.posts if kind == k), None) for k in ("small", "big"))
        first = small
        if first is None and self.button is not None:
            first = min(ring, key=lambda name: (self.seats[name][0] - self.button - 1) % 1000)  # type: ignore[operator]
            if len(ring) == 2 and big is not None:
                first = next(name for name in ring if name != big)
        if first is None:
            first = big
        if first is None:
            raise NotationError("the text says neither the button nor who posts a blind")
        at = ring.index(first)
        ring = ring[at:] + ring[:at]
        if len(ring) > 2:
            return ring
        # An older custom of two: the button posts the big blind, and the other one is first on every street.
        later = next((name for _, cards, name, _, _ in self.acts if cards), None)
        return ring if later and later == small and big and self.seats[big][0] == self.button else ring[::-1]

    def _spec(self, names: list[str]) -> tuple[GameSpec, tuple[int, ...]]:
        n = len(names)
        place = {name: i for i, name in enumerate(names)}
        stacks = [self.seats[name][1] for name in names]
        live, antes, dead = [0] * n, [0] * n, [0] * n
        nominal = [0] * n
        big = self.blinds[1] or max((c for _, kind, c in self.posts if kind == "big"), default=0)
        posted, first = -1, 0
        smalls = straddled = False
        for name, kind, chips in self.posts:
            p = place[name]
            if kind == "small" and smalls and not any(k == "big" for _, k, _ in self.posts):
                kind = "big"  # posted short
            if kind == "ante":
                antes[p] += chips
            elif kind == "dead" or (kind == "small" and smalls and not self.live_small):
                dead[p] += chips
            else:
                kind = "straddle" if kind == "big" and posted >= 0 and chips > big else kind
                whole = min(chips, big) if kind in ("both", "post") and big else chips
                dead[p] += chips - whole
                live[p] += whole
                nominal[p] = self.blinds[0] if kind == "small" else big
                smalls |= kind == "small"
                straddled |= kind == "straddle"
                if (kind == "big" and posted < 0) or kind == "straddle":
                    posted = p
        ante = max(antes)
        if self.cap:
            stacks = [min(s, self.cap) for s in stacks]
        for p in range(n):
            if stacks[p] < 1:
                raise NotationError(f"{names[p]!r} plays without chips")
            if antes[p] + dead[p] + live[p] == stacks[p]:  # all-in by posting: less than was asked for
                antes[p] = antes[p] if live[p] or not antes[p] else ante
                live[p] = max(live[p], nominal[p])
            elif antes[p] + dead[p] + live[p] > stacks[p]:
                raise NotationError(f"{names[p]!r} posts more than the stack of {stacks[p]}")
        if posted < 0 and smalls and antes[after := 0 if n == 2 else 1] >= stacks[after]:
            posted, live[after] = after, big  # nobody is left to post the big blind: all-in by the ante
        first = 1 if n == 2 and posted < 1 else (posted + 1) % n
        if (straddled or posted < 0) and self.acts:
            first = place[self.acts[0][2]]
        bets = [chips for _, _, _, kind, chips in self.acts if kind == "bet" and chips] if straddled else []
        limit = self.betting == "limit"
        sizes, caps = self._limits(big) if limit else ((), ())
        spec = GameSpec(
            players=n,
            betting=self.betting,
            blinds=tuple(live),
            stacks=tuple(map(max, stacks, live)),
            antes=tuple(map(sum, zip(antes, dead, strict=True))),
            first_player=(first, 0, 0, 0),
            min_bet=big if not limit and min(bets, default=max(live)) < max(live) else UNSET,
            bet_sizes=sizes,
            max_raises=caps,
        )
        return spec, tuple(stacks)

    def _limits(self, big: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The bets of a limit game by street, and the caps of raises: none where there were more of them."""
        low, high = self.bets if any(self.bets) else (big, 2 * big)
        raised = Counter(max(cards - 2, 0) for _, cards, _, kind, _ in self.acts if kind not in (*_CALLS, "fold"))
        free = any(raised[street] > cap for street, cap in enumerate((3, 4, 4, 4)))
        return (low, low, high, high), (UNLIMITED,) * 4 if free else ()

    def _play(self, state: HandState, names: list[str]) -> tuple[list[int], dict[str, int]]:
        """Play the actions; returns what everybody put in, antes not, and chips of raises beyond all-ins that nobody
        could call, which come back."""
        place = {name: i for i, name in enumerate(names)}
        left: set[int] = set()
        beyond: dict[str, int] = {}
        fold, call = Action.fold(), Action.call()
        street, before, put = 0, [0] * len(names), list(state.contributions)
        for line, cards, name, kind, chips in self.acts:
            self.line = line
            while state.actor in left:
                state.follow(fold)
            p = place[name]
            if state.actor != p or cards > BOARD_CARDS[state.street]:
                if kind == "fold":  # out of turn: a player who leaves
                    left.add(p)
                elif kind != "check" or not state.finished:  # a site may ask who has nothing to decide
                    self._out_of_turn(state, names, name, kind, cards)
                continue
            if kind == "fold":
                state.follow(fold)
                continue
            if state.street != street:
                street, before = state.street, put.copy()
            to_call = state.to_call
            calls = put[p] + to_call
            if chips is None:
                total = calls if kind == "call" else put[p] + (state.stacks[p] if kind.startswith("all") else 0)
            else:
                total = chips + (before if kind.endswith(" to") else put)[p]
                if kind.startswith("all") and abs(total - put[p] - state.stacks[p]) == 1:
                    total = put[p] + state.stacks[p]  # rounded by a chip
            if total > calls and not state.legal.can_raise:
                beyond[name] = total - calls
                total = calls
            if total < calls or (total > calls and kind in _CALLS):
                raise NotationError(f"{name!r} {kind}s {chips or 0}: {to_call} would be a call")
            state.apply(Action(RAISE, total) if total > calls else call)
            put[p] = total
        while state.actor in left:
            state.follow(fold)
        if not state.finished:
            raise NotationError(f"the text ends before the betting does: {names[state.actor]!r} is to act")
        return put, beyond

    def _out_of_turn(self, state: HandState, names: list[str], name: str, kind: str, cards: int) -> None:
        if cards > BOARD_CARDS[state.street] and not state.finished:
            street = STREET_WORDS[max(cards - 2, 0)]
            raise NotationError(f"an action is missing before the {street}: {names[state.actor]!r} was to act")
        turn = "the hand is over" if state.finished else f"{names[state.actor]!r} is to act"
        raise NotationError(f"out of turn: {name!r} {kind}s and {turn}")

    # money -----------------------------------------------------------------------------------------------------------

    def _payoffs(
        self, state: HandState, names: list[str], bets: list[int], beyond: dict[str, int]
    ) -> tuple[tuple[int, ...], int, bool]:
        """Net results, what the house took, and whether the text says that."""
        put = list(map(sum, zip(bets, state.antes, strict=True)))
        most, second = sorted(bets if any(bets) else put)[:-3:-1]  # all-in by antes
        at, uncalled = (bets if any(bets) else put).index(most), most - second
        back = {name: chips - beyond.get(name, 0) for name, chips in self.returned.items()}
        if any(name not in names for name in (*self.won, *back)):
            raise HistoryError("money: somebody wins who is not in the hand")
        stated = self.rake is not None
        house = (self.rake or 0) + sum(self.fees.values())
        won = sum(self.won.values())
        if not self.won or self.untold:
            return self._unsaid(state, put, house), house, True
        if beyond and not self.returned and won + house > sum(put):
            back = {name: -chips for name, chips in beyond.items()}  # the text counts them as won
        elif not any(back.values()) and not (
            won + house > sum(put) - uncalled if self.wins_uncalled is None else self.wins_uncalled
        ):
            back = {names[at]: uncalled}
        total = sum(put) - sum(back.values())
        rake = total - won
        if rake < 0 or (stated and rake != house):
            raise HistoryError(f"money: {won} won and {house} taken by the house, and {total} are in the pot")
        pot = sum(put) - uncalled
        if self.pot is not None and self.pot not in (pot, total, pot - rake, total - rake):
            raise HistoryError(f"money: a total pot of {self.pot}, and the betting makes {pot}")
        net = (self.won.get(n, 0) + back.get(n, 0) - p for n, p in zip(names, put, strict=True))
        return tuple(net), rake, stated

    def _unsaid(self, state: HandState, put: list[int], house: int) -> tuple[int, ...]:
        """Payoffs of a text that says no winner: what the rules give, where one player takes all."""
        try:
            payoffs = state.payoffs.tolist()
        except RulesError as error:
            raise NotationError("the text does not say who won") from error
        winners = [i for i, p in enumerate(payoffs) if p > -put[i]]
        if house and (len(winners) != 1 or house > payoffs[winners[0]] + put[winners[0]]):
            raise NotationError("the text does not say who won")
        if house:
            payoffs[winners[0]] -= house
        return tuple(payoffs)


@lru_cache(maxsize=1 << 12)
def _toml(text: str) -> str:
    # A JSON string is a TOML basic string, but for DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")
