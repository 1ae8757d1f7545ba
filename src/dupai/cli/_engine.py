"""``dupai engine`` and ``dupai verify-deal``."""

from __future__ import annotations

import contextlib
import sys

from typer import Argument

from dupai.cli._common import JobsOption, console, print_json, resolve_jobs, unguarded
from dupai.cli._shared import JsonOption


def engine(jobs: JobsOption = 1) -> None:
    """Play and analyse for another program: a line of JSON for each request, on standard input, a line of JSON for
    each answer, on standard output. docs/reference/engine.md describes the protocol.

    Ends when standard input does, after the last answer; at once when nobody can read its answers any more.

    Examples:

      echo '{"id": "1", "method": "hello"}' | dupai engine
    """
    from dupai.engine import end_with_reader, serve

    answers = unguarded(sys.stdout).buffer
    end_with_reader(answers)
    # What an agent or reader prints is no answer.
    with contextlib.redirect_stdout(sys.stderr):
        serve(sys.stdin.buffer, answers, resolve_jobs(jobs))


def verify_deal(
    hash: str = Argument(..., metavar="FOLDER|HASH", help="A saved match; or what was shown before the hand."),
    nonce: str = Argument("", metavar="NONCE", help="What was revealed after it."),
    deck: str = Argument("", metavar="DECK", help="The 52 cards, as AsKd..., in their order."),
    shares: list[str] | None = Argument(None, metavar="SHARE", help="Of each person, in the order of seats."),
    json: JsonOption = False,
) -> None:
    """Check that a hand in the browser was dealt from the deck that was sealed before it, or deal a saved match again.

    The hash is the SHA-256 of NONCE. The deck holds the cards by the SHA-256 of NONCE, every SHARE and the card, with
    colons between them. Cards go out in the order of the deck: two to each player from the first after the button on,
    then the board. Another deck, nonce or share is an error (exit code 2). Where a spot is played again the hash is
    that of NONCE, a colon and DECK.

    A FOLDER is one that 'run' or 'play' has saved: its hands are dealt again from its key or seed and compared. Another
    card is an error. The hash printed is that of the key, which was shown before the first deal.

    JSON keys: kept (true: the deck is the one that was sealed), cards; of a folder: kept, hands, hash (null: a seed).

    Examples:

      dupai verify-deal HASH NONCE DECK SHARE

      dupai verify-deal matches/play
    """
    from dupai.arena.live import verify_deal as verify
    from dupai.arena.store import verify_match
    from dupai.base import key_hash
    from dupai.cards import card_text

    if not nonce:
        saved = verify_match(hash)
        sealed = key_hash(saved.key) if saved.key else None
        source = f"the key with SHA-256 {sealed}" if sealed else f"the seed {saved.seed}"
        if json:
            print_json({"kept": True, "hands": saved.hands, "hash": sealed})
        else:
            console().print(f"kept: {saved.hands:,} hands have the cards of {source}", style="green", soft_wrap=True)
        return
    names = [card_text(c) for c in verify(hash, nonce, deck, shares or ())]
    if json:
        print_json({"kept": True, "cards": names})
        return
    out = console()
    alone = "" if shares else "; nobody added a share, the dealer alone chose it"
    out.print(f"kept: the deck is the one that was sealed{alone}", style="green", soft_wrap=True)
    out.print(f"  {' '.join(names[:26])}\n  {' '.join(names[26:])}")
