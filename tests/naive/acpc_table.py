"""A table for the dealer's state machine that writes everything down, with clients that are lines of text."""

from collections import deque

from dupai.acpc import DealConfig, Dealer
from dupai.rules import load_game


class ScriptedTable:
    """What a dealer said. ``expect`` fails on any line that was not expected."""

    def __init__(self):
        self.sent = {}
        self.dropped = []
        self.lines = []
        self.notes = []
        self.records = []
        self.entries = []
        self.lines_heard = []

    def send(self, seat, line):
        assert "\n" not in line
        assert seat not in self.dropped, "a line to a client that is gone"
        self.sent.setdefault(seat, deque()).append(line)

    def drop(self, seat):
        assert seat not in self.dropped
        self.dropped.append(seat)

    def log(self, line):
        assert "\n" not in line
        self.lines.append(line)

    def note(self, line):
        assert "\n" not in line
        self.notes.append(line)

    def transaction(self, entry):
        assert "\n" not in str(entry)
        self.entries.append(entry)

    def heard(self, seat, line):
        self.lines_heard.append((seat, line))

    def dealt(self, state):
        """Nobody here asks for it."""

    def over(self, record):
        self.records.append(record)

    def expect(self, seat, *lines):
        """The next lines that ``seat`` was sent, all of them."""
        assert list(self.sent.get(seat, ())) == list(lines)
        self.sent[seat] = deque()

    @property
    def states(self):
        """The hands in the log."""
        return [line for line in self.lines if line.startswith("STATE:")]


def table_of(game="holdem.nolimit.2p", hands=2, seed=1, names=("Ann", "Bo", "Cy", "Di", "Ed", "Flo"), **options):
    """A dealer, its table; every client has connected and sent its version."""
    dealer, table = unseated(game, hands, seed, names, **options)
    for seat in range(dealer.config.game.players):
        if not dealer.config.local[seat]:
            dealer.connected(seat, 0.0)
            dealer.received(seat, b"VERSION:2.0.0\r\n", 0.0)
    return dealer, table


def unseated(game="holdem.nolimit.2p", hands=2, seed=1, names=("Ann", "Bo", "Cy", "Di", "Ed", "Flo"), **options):
    """A dealer that waits for everybody, its table."""
    spec = load_game(game) if isinstance(game, str) else game
    config = DealConfig(game=spec, hands=hands, seed=seed, names=names[: spec.players], game_name=str(game), **options)
    table = ScriptedTable()
    dealer = Dealer(config, table)
    dealer.begin(0.0)
    return dealer, table


def act(dealer, table, text, now=0.0):
    """The player whose turn it is answers ``text``; forgets what was sent before."""
    seat = dealer.waiting
    told = table.sent[seat][-1]
    for lines in table.sent.values():
        lines.clear()
    dealer.received(seat, f"{told}:{text}\r\n".encode(), now)
