"""The hands of ``src/dupai/example_data``: a match of our own agents as a log, and some of them as PHH and as the text
of a poker site.

Run ``python docs/make/example_data.py`` in a clone; equal versions write equal files.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from dupai.base import EXAMPLES
from dupai.cards import card_text
from dupai.notation import read_acpc, write_phhs
from dupai.rules import BOARD_CARDS, HandRecord
from dupai.spots import DID_BET, DID_CALL, DID_CHECK, DID_FOLD, spot_rows

#: The match: names and agents in the order of the seats, and its seed.
PLAYERS = {
    "Vera": "rules", "Ann": "rules:tight", "Bo": "style:paper-LA", "Cleo": "style:paper-LP",
    "Dan": "style:paper-TP", "Eve": "style:paper-TA"
}  # fmt: skip
HANDS, SEED = 60, 23
#: Hands that become PHH and site text.
SOME = 20
STREETS = ("", "FLOP", "TURN", "RIVER")


def money(chips: float) -> str:
    return f"${chips / 100:.2f}"


def cards_text(cards: tuple[int, ...]) -> str:
    return f"[{' '.join(card_text(c) for c in cards)}]"


def site_text(record: HandRecord) -> str:
    """A hand as PokerStars writes it, as seen by the first player; no rake."""
    n = record.spec.players
    names, rows = record.names, spot_rows(record)
    small, big = sorted(b for b in record.spec.blinds if b)
    lines = [
        f"PokerStars Hand #{9000 + record.hand}:  Hold'em No Limit ({money(small)}/{money(big)} USD) - "
        f"2026/01/02 12:{record.hand // 60:02}:{record.hand % 60:02} ET",
        f"Table 'Example' 6-max Seat #{n} is the button",
        *(f"Seat {p + 1}: {names[p]} ({money(record.stacks[p])} in chips)" for p in range(n)),
        f"{names[0]}: posts small blind {money(small)}",
        f"{names[1]}: posts big blind {money(big)}",
        "*** HOLE CARDS ***",
        f"Dealt to {names[0]} {cards_text(record.hole[0])}",
    ]
    street, totals, folded = 0, [small, big] + [0] * (n - 2), [False] * n
    for row in rows:
        while street < row["street"]:
            street += 1
            lines.append(board_line(record, street))
        p, did, paid = int(row["position"]), int(row["did"]), int(row["paid"])
        end = " and is all-in" if row["all_in"] else ""
        if did == DID_FOLD:
            folded[p], text = True, "folds"
        elif did == DID_CHECK:
            text = "checks"
        elif did == DID_CALL:
            text = f"calls {money(paid)}{end}"
        elif did == DID_BET:
            text = f"bets {money(paid)}{end}"
        else:
            to = int(row["bet"]) + paid
            text = f"raises {money(paid - int(row['to_call']))} to {money(to)}{end}"
        lines.append(f"{names[p]}: {text}")
        totals[p] = int(row["to"])
    live = [p for p in range(n) if not folded[p]]
    second, most = sorted(totals)[-2:]
    back = {p: most - second for p in range(n) if totals[p] == most > second}
    for p, chips in back.items():
        lines.append(f"Uncalled bet ({money(chips)}) returned to {names[p]}")
    while len(live) > 1 and street < 3:
        street += 1
        lines.append(board_line(record, street))
    if len(live) > 1:
        lines.append("*** SHOW DOWN ***")
        lines += [f"{names[p]}: shows {cards_text(record.hole[p])}" for p in live]
    won = [record.payoffs[p] / record.spec.split + totals[p] - back.get(p, 0) for p in range(n)]
    lines += [f"{names[p]} collected {money(won[p])} from pot" for p in live if won[p] > 0]
    pot = sum(totals) - sum(back.values())
    lines += ["*** SUMMARY ***", f"Total pot {money(pot)} | Rake $0.00"]
    if street:
        lines.append(f"Board {cards_text(record.board[: BOARD_CARDS[street]])}")
    return "\n".join(lines) + "\n"


def board_line(record: HandRecord, street: int) -> str:
    shown = record.board[: BOARD_CARDS[street]]
    new = BOARD_CARDS[street] - BOARD_CARDS[street - 1]
    parts = [cards_text(shown)] if street == 1 else [cards_text(shown[:-new]), cards_text(shown[-new:])]
    return f"*** {STREETS[street]} *** {' '.join(parts)}"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        seats = [f"{name}={agent}" for name, agent in PLAYERS.items()]
        command = [sys.executable, "-m", "dupai", "acpc", "deal", "holdem.nolimit.6p", *seats]
        subprocess.run([*command, "--hands", str(HANDS), "--seed", str(SEED), "--log", folder, "-q"], check=True)
        log = next(Path(folder).glob("*.log")).read_text()
    write(log)


def write(log: str) -> None:
    (EXAMPLES / "match.log").write_text(log)
    records = list(read_acpc(log.splitlines()))[:SOME]
    (EXAMPLES / "hands.phhs").write_text("".join(f"{line}\n" for line in write_phhs(records)))
    (EXAMPLES / "site.txt").write_text("\n\n".join(map(site_text, records)))


if __name__ == "__main__":
    main()
