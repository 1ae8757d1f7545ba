"""A stand-alone ACPC client: knows only the protocol, uses nothing but Python itself.

    python acpc_client.py HOST PORT        (no-limit hold'em, blinds 50/100, stacks of 20,000)

Like the reference's example player it folds now and then, and else calls or raises evenly; its raises are the smallest.
"""

import random
import re
import socket
import sys

SMALL, BIG, STACK = 50, 100, 20_000


def turn(betting, n):
    """(who is to act, what he has in, the bet, the smallest raise), or None when the hand is over."""
    spent = [BIG, SMALL] if n == 2 else [SMALL, BIG] + [0] * (n - 2)
    folded, top, low = set(), BIG, 2 * BIG
    for number, text in enumerate(betting.split("/")):
        at, asked = ((1 if n == 2 else 2) if number == 0 else 0) % n, set()
        low = top + BIG
        for action in [*re.findall(r"f|c|r\d+", text), "?"]:
            able = {p for p in range(n) if p not in folded and spent[p] < STACK}
            if n - len(folded) < 2 or not able - asked:
                break
            while at not in able:
                at = (at + 1) % n
            if action == "?":
                return at, spent[at], top, low
            if action == "f":
                folded.add(at)
            elif action == "c":
                spent[at] = min(top, STACK)
            else:
                to, asked = int(action[1:]), set()
                top, low, spent[at] = to, max(low, 2 * to - top), to
            asked.add(at)
            at = (at + 1) % n
    return None


def main(host, port):
    with socket.create_connection((host, int(port))) as wire, wire.makefile() as lines:
        wire.sendall(b"VERSION:2.0.0\r\n")
        for line in map(str.strip, lines):
            if not line.startswith("MATCHSTATE:"):
                continue
            _, position, _, betting, cards = line.split(":")
            now = turn(betting, cards.count("|") + 1)
            if now is None or now[0] != int(position):
                continue
            _, spent, top, low = now
            luck = random.random()
            action = "f" if luck < 0.06 and spent < top else "c" if luck < 0.53 or low > STACK else f"r{low}"
            wire.sendall(f"{line}:{action}\r\n".encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
