"""A hundred situations by name: which one the expert sees, and what he does there."""

from __future__ import annotations

import pytest

from dupai.agents import make_agent
from dupai.notation import view_from_text
from dupai.rules import CALL, FOLD, RAISE

#: Name; position, hole cards, board; betting (ACPC, totals in chips, blinds 50/100, stacks 20,000); words that the
#: expert has to use; what he does most of the time (F, C check or call, R), or with a slash all that he may do.
SITUATIONS = """
aces on the button                    | 1 AsAh |                | -                  | button unopened deep AA | R
ace-king suited on the button         | 1 AsKs |                | -                  | unopened AKs | R
a small pair on the button            | 1 2s2h |                | -                  | unopened 22 | R
a weak suited queen on the button     | 1 Qs4s |                | -                  | unopened Q4s | R
trash on the button                   | 1 7s2h |                | -                  | unopened 72o | R/F
aces after a limp                     | 0 AsAh |                | c                  | blind limped AA | R
a fair hand after a limp              | 0 Ks9h |                | c                  | limped K9o | C/R
trash after a limp                    | 0 7s2h |                | c                  | limped 72o | C
aces against a small raise            | 0 AsAh |                | r300               | blind raise-small AA | R
jacks against a small raise           | 0 JsJh |                | r250               | raise-small JJ | R
king-queen against a small raise      | 0 KsQh |                | r300               | raise-small KQo | C
a pair of fives against a small raise | 0 5s5h |                | r300               | raise-small 55 | C
trash against a small raise           | 0 7s2h |                | r300               | raise-small 72o | F
queens against a middle raise         | 0 QsQh |                | r600               | raise-middle QQ | R
a fair hand against a middle raise    | 0 Js9s |                | r600               | raise-middle J9s | C
a weak hand against a middle raise    | 0 Qs4s |                | r600               | raise-middle Q4s | F
kings against a big raise             | 0 KsKh |                | r2000              | raise-big KK | R
tens against a big raise              | 0 TsTh |                | r2000              | raise-big TT | C
king-jack against a big raise         | 0 KsJh |                | r2000              | raise-big KJo | F/C
a fair hand against a big raise       | 0 Js9s |                | r2000              | raise-big J9s | F
queens against a huge raise           | 0 QsQh |                | r5000              | raise-huge QQ | R
jacks against a huge raise            | 0 JsJh |                | r5000              | raise-huge JJ | C
nines against a huge raise            | 0 9s9h |                | r5000              | raise-huge 99 | C
sevens against a huge raise           | 0 7s7h |                | r5000              | raise-huge 77 | F
aces against a shove                  | 0 AsAh |                | r20000             | raise-shove AA | C
ace-queen suited against a shove      | 0 AsQs |                | r20000             | raise-shove AQs | C
ace-nine against a shove              | 0 As9h |                | r20000             | raise-shove A9o | F
aces re-raised                        | 1 AsAh |                | r300r900           | button again-big AA | R
tens re-raised a little               | 1 TsTh |                | r250r600           | again-middle TT | R
a good hand re-raised                 | 1 AsJs |                | r250r600           | again-middle AJs | C
trash re-raised                       | 1 7s2h |                | r250r600           | again-middle 72o | F
a decent hand re-raised big           | 1 7s7h |                | r300r1000          | again-big 77 | C/F
kings in a war of raises              | 0 KsKh |                | r300r900r2200      | blind war-big KK | R
jacks in a war of raises              | 0 JsJh |                | r300r900r2200      | war-big JJ | C
a fair hand in a war of raises        | 0 Js9s |                | r300r900r2200      | war-big J9s | F
kings shoved on in a war              | 1 KsKh |                | r300r900r2200r20000 | war-shove KK | C
nothing, first to act                 | 0 5s4h | AdKc9s         | cc/            | flop blind open nothing none dry | C
ace high is no pair                   | 0 As4h | Kd9c7s         | cc/                | high none dry | C
ace high in a checked pot on the button | 1 As4h | Kd9c7s       | cc/c               | button open high dry | R/C
two overcards                         | 0 KsQh | Td6c2s         | cc/                | high none dry | C
bottom pair                           | 0 5s2h | KdTc2s         | cc/                | low-pair dry | C
middle pair                           | 0 Ts5h | KdTc2s         | cc/                | mid-pair dry | R/C
a pocket pair under the top card      | 0 QsQh | KdTc2s         | r300c/             | mid-pair dry | R/C
top pair, weak kicker                 | 0 Ks4h | KdTc2s         | cc/                | top-weak dry | R
top pair, top kicker                  | 0 AsKh | KdTc2s         | r300c/             | top-good dry | R
an overpair                           | 0 AsAh | KdTc2s         | r300c/             | overpair dry | R
two pair                              | 0 KsTh | KdTc2s         | cc/                | two-pair dry | R
a set                                 | 0 2d2h | KdTc2s         | cc/                | set dry | R
trips                                 | 0 Ks9h | KdKc2s         | cc/                | trips paired | R
a flopped straight                    | 0 9s8h | 7d6cTs         | cc/                | straight | R
a flopped flush                       | 0 9s8s | KsTs2s         | cc/                | flush dangerous | R
the nut flush                         | 0 As8s | KsTs2s         | cc/                | nut-flush dangerous | R
a full house                          | 0 KsTh | KdKcTs         | cc/                | full paired | R
four of a kind                        | 0 KsKh | KdKcTs         | cc/                | quads paired | R
a pair on the board is no pair        | 0 5s4h | KdKc9s         | cc/                | nothing paired | C
a flush draw                          | 0 As5s | Ks9s2d         | cc/                | high flush-draw wet | R/C
an open-ended draw                    | 0 9s8h | 7d6cKs         | cc/                | open-ended dry | R/C
a gutshot                             | 0 9s8h | 7d5cKs         | cc/                | gutshot | C
a straight draw with a flush draw     | 0 9s8s | 7s6sKd         | cc/                | combo-draw wet | R/C
a flush draw of the board alone       | 0 2h3c | AsKs9s         | cc/                | nothing none dangerous | C
a weak flush draw with one card       | 0 3s2h | AsKs9s         | cc/                | nothing none dangerous | C
the king of the suit on three of it   | 0 Ks2h | As9s4s         | cc/                | flush-draw dangerous | R/C
four to a straight on the board       | 0 KsKh | 9d8c7h6s       | cc/cc/             | turn dangerous | C
led with nothing on a dry board       | 1 5s4h | AdKc9s         | r300c/c            | led nothing dry | R/C
led with nothing on a dangerous board | 1 5d4h | AsKs9s         | r300c/c            | led nothing dangerous | C/R
the overpair has led                  | 1 AsAh | KdTc2s         | r300c/c            | led overpair | R
the other one has led                 | 0 AsAh | KdTc2s         | r300c/             | open overpair | R
a small bet with nothing              | 1 5s4h | AdKc9s         | r300c/r500            | bet-small nothing | F
a small bet with a low pair           | 1 5s2h | KdTc2s         | r300c/r500            | bet-small low-pair | C
half a pot with a low pair            | 1 5s2h | KdTc2s         | cc/r200            | bet-half low-pair | C
a pot with a low pair                 | 1 5s2h | KdTc2s         | cc/r300            | bet-pot low-pair | F
a pot with the middle pair            | 1 Ts5h | KdTc2s         | cc/r300            | bet-pot mid-pair | C
an overbet with the middle pair       | 1 Ts5h | KdTc2s         | cc/r500            | bet-over mid-pair | F
an overbet with top pair, weak kicker | 1 Ks4h | KdTc2s         | cc/r500            | bet-over top-weak | C/F
a huge bet with top pair, weak kicker | 1 Ks4h | KdTc2s         | cc/r5000           | bet-huge top-weak | F
a huge bet with top pair, top kicker  | 1 AsKh | KdTc2s         | cc/r5000           | bet-huge top-good | C
a huge bet with a set                 | 1 2d2h | KdTc2s         | cc/r5000           | bet-huge set | R
half a pot with top pair, top kicker  | 1 AsKh | KdTc2s         | cc/r200            | bet-half top-good | C/R
half a pot with a set                 | 1 2d2h | KdTc2s         | cc/r200            | bet-half set | R
half a pot with ace high              | 1 AsQh | KdTc2s         | cc/r200            | bet-half high | C/F
a pot with a flush draw               | 1 As5s | Ks9s2d         | cc/r300            | bet-pot flush-draw | C
an overbet with a flush draw          | 1 As5s | Ks9s2d         | cc/r500            | bet-over flush-draw | C
a huge bet with a flush draw          | 1 As5s | Ks9s2d         | cc/r5000           | bet-huge flush-draw | F
a pot with an open-ended draw         | 1 9s8h | 7d6cKs         | cc/r300            | bet-pot open-ended | C
an overbet with an open-ended draw    | 1 9s8h | 7d6cKs         | cc/r500            | bet-over open-ended | F
a small bet with a gutshot            | 1 9s8h | 7d5cKs         | r300c/r500            | bet-small gutshot | C
a pot with a gutshot                  | 1 9s8h | 7d5cKs         | cc/r300            | bet-pot gutshot | F
a pot with a combined draw            | 1 9s8s | 7s6sKd         | cc/r300            | bet-pot combo-draw | C/R
raised with an overpair               | 0 AsAh | KdTc2s         | r300c/r900r2400    | raised overpair | C
raised with top pair, weak kicker     | 0 Ks4h | KdTc2s         | cc/r300r900        | raised top-weak | C/F
raised with the middle pair           | 0 Ts5h | KdTc2s         | cc/r300r900        | raised mid-pair | F
raised huge with top pair, top kicker | 0 AsKh | KdTc2s         | r300c/r900r9000    | raised-huge top-good | F/C
raised with a set                     | 0 2d2h | KdTc2s         | cc/r300r900        | raised set | R
a draw that missed                    | 0 As5s | Ks9s2d3c8h     | cc/cc/cc/          | river high none | C
a made flush on the river             | 0 As5s | Ks9s2d3c4s     | cc/cc/cc/          | river nut-flush none | R
a small bet on the river with a pair  | 1 5s2h | KdTc2s8c4d     | r300c/cc/cc/r500      | river bet-small low-pair | C
a pot on the river with ace high      | 1 AsQh | KdTc2s8c4d     | cc/cc/cc/r300      | river bet-pot high | F
the straight on the river             | 1 9s8h | 7d6cTs2h2d     | cc/cc/cc/c         | river straight | R
a bluff on the river                  | 1 5s4h | AdKc9s8hJd     | cc/cc/cc/c         | river button nothing | R/C
top pair led on three streets         | 1 AsKh | KdTc2s8c4d     | r300c/cr600c/cr1500c/c | river led top-good | R/C
few chips behind after the flop       | 0 AsKh | KdTc2s         | r9500c/            | short top-good | R
"""

_KINDS = {"F": FOLD, "C": CALL, "R": RAISE}
_ROWS = [[cell.strip() for cell in row.split("|")] for row in SITUATIONS.strip().splitlines()]


def _view(seat, board, betting):
    position, hole = seat.split()
    streets = [board[:6], board[6:8], board[8:10]]
    shown = "".join(f"/{cards}" for cards in streets if cards)
    holes = f"{hole}|" if position == "0" else f"|{hole}"
    return view_from_text(f"MATCHSTATE:{position}:0:{betting.strip('-')}:{holes}{shown}")


def test_there_are_a_hundred_of_different_names() -> None:
    assert len({row[0] for row in _ROWS}) == len(_ROWS) >= 100


@pytest.mark.parametrize("row", _ROWS, ids=lambda row: row[0])
def test_situation(row) -> None:
    _, seat, board, betting, words, does = row
    expert = make_agent("expert")
    view = _view(seat, board, betting)
    said = " ".join(expert.situation(view).words).replace(",", "").split()
    for word in words.split():
        assert word in said, said
    chances = dict.fromkeys((FOLD, CALL, RAISE), 0.0)
    for action, p in expert.policy(view).points:
        chances[action.kind] += p
    wanted = [_KINDS[letter] for letter in does.split("/")]
    if len(wanted) == 1:
        assert chances[wanted[0]] >= 0.6, chances
    else:
        assert all(chances[kind] >= 0.15 for kind in wanted), chances
        assert sum(chances[kind] for kind in wanted) > 0.99, chances
    assert words.split()[-1] in " ".join(expert.reasons(view)[0].values["parts"])
