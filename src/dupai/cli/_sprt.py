"""``dupai sprt``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from dupai.cli._playing import GameOption, PlayOptions, print_faults, with_play_options

if TYPE_CHECKING:
    from rich.console import Console

    from dupai.arena import SprtResult

#: Deals or matches between two lines of progress.
_EVERY = 500


@with_play_options
def sprt(
    new: Annotated[str, typer.Argument(help="The agent that may be better.", metavar="NEW")],
    old: Annotated[str, typer.Argument(help="The agent it is measured against.", metavar="OLD")],
    bounds: Annotated[
        str,
        typer.Option("--bounds", help="LOW,HIGH: mean per deal in standard deviations of a deal.", metavar="LOW,HIGH"),
    ] = "0,0.05",
    alpha: Annotated[float, typer.Option("--alpha", help="Chance of 'better' when the truth is LOW.")] = 0.05,
    beta: Annotated[float, typer.Option("--beta", help="Chance of 'not better' when the truth is HIGH.")] = 0.05,
    max_hands: Annotated[
        int, typer.Option("--max-hands", "-n", help="Stop undecided after so many hands, both seats together.")
    ] = 200_000,
    match_hands: Annotated[
        int, typer.Option("--match-hands", help="Deals of a match, where an agent learns and whole matches count.")
    ] = 1000,
    game: GameOption = None,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed of cards and agents.")] = 1,
    luck_reduced: Annotated[
        bool, typer.Option("--luck-reduced", "-l", help="Test deals without the luck of their cards: fewer are needed.")
    ] = False,
    *,
    options: PlayOptions,
) -> None:
    """Is NEW better than OLD? Heads-up duplicate deals until the answer is clear (sequential test).

    Each deal is played from both seats with fresh agents; its result is the mean of the two. The test (GSPRT) asks
    whether NEW wins HIGH or more, or LOW or less, in standard deviations of a deal, so no guess of the swings is
    needed. The defaults tell "no better" from "better by a twentieth of a deal's swing" in 2,000 to 3,500 deals; half
    the distance takes four times as many. Between LOW and HIGH either answer is fine and takes longest. Where an agent
    learns, whole matches count instead of deals. Ctrl-C prints what is played (exit code 130); with --results it can be
    taken up again with --resume, to the same answer.

    With --luck-reduced the test looks at deals without their luck, and LOW and HIGH are in their smaller standard
    deviations: the same difference takes fewer deals, in proportion to the variance ratio.

    JSON keys: config, seed, versions, new, old, bounds, alpha, beta, unit, hands, test (n, mean, sd, t, llr, lower,
    upper, decision: "better", "not better" or null), mbb (mean, se, low, high, n), partial, stateless, reproducible,
    faults, plain (with --luck-reduced: the mean of the same deals with their luck; else null).

    Examples:

      dupai sprt style:TA style:LP

      dupai sprt rules:tight rules --bounds 0,0.02 --jobs 2 --json

      dupai sprt style:TA style:LP --results tests.db --resume
    """
    from dupai.arena import run_sprt
    from dupai.cli._common import console

    with options.playing("sprt") as place:
        result = run_sprt(
            new,
            old,
            bounds=_bounds(bounds),
            alpha=alpha,
            beta=beta,
            seed=seed,
            max_hands=max_hands,
            match_hands=match_hands,
            game=game,
            luck_reduced=luck_reduced,
            rules=options.rules,
            watch=None if options.json else _Lines(console()),
            **place,
        )
    options.tell(result, show)


def _bounds(text: str) -> tuple[float, float]:
    from dupai.base import ConfigError

    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise ConfigError(f"--bounds {text!r}: expected two numbers as 0,0.05") from None
    return low, high


class _Lines:
    """How the test stands, a line now and then."""

    def __init__(self, out: Console) -> None:
        self._out = out
        self._next = _EVERY

    def __call__(self, state: object) -> None:
        from dupai.stats import SprtState

        assert isinstance(state, SprtState)
        if state.n >= self._next:
            self._next += _EVERY
            self._out.print(
                f"{state.n:>8,}   LLR {state.llr:+6.2f} in [{state.lower:.2f}, {state.upper:.2f}]   "
                f"{state.mean:+,.1f} mbb/hand   t {state.t:+.3f}"
            )


def show(out: Console, result: SprtResult) -> None:
    """What a test has found."""
    test = result.test
    units = "deals" if result.unit == "deal" else "matches"
    low, high = result.bounds
    said = {
        "better": f"{result.new} is better than {result.old}",
        "not better": f"{result.new} is not better than {result.old}",
        None: "stopped early, not decided" if result.partial else "not decided within the hands allowed",
    }[test.decision]
    out.print(f"{said}", style="bold", soft_wrap=True)
    out.print(
        f"LLR {test.llr:+.2f}, bounds [{test.lower:.2f}, {test.upper:.2f}], after {test.n:,} duplicate {units} "
        f"({result.hands:,} hands), seed {result.seed}",
        soft_wrap=True,
    )
    if test.n < 2:
        return
    out.print(
        f"{result.new}: {result.mbb.text(1)} mbb/hand, {test.t:+.3f} standard deviations of a {result.unit} "
        f"({test.sd:,.0f} mbb/hand); asked: {low:g} or {high:g}, errors {result.alpha:g} and {result.beta:g}",
        soft_wrap=True,
    )
    if result.plain is not None:
        out.print(f"without the luck of the cards; with it {result.plain.text(1)} mbb/hand", soft_wrap=True)
    if test.decision is not None:
        out.print("the mean overstates: the test stopped because it was extreme", style="dim", soft_wrap=True)
    if not result.reproducible:
        out.print("not reproducible: an agent is limited by a clock", style="yellow")
    print_faults(out, result.faults)
