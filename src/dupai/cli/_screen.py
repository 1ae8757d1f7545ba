"""The live table of ``dupai run`` drawn: the reading in the centre, the players beside or below it.

A screen of at least 80 columns has grids of 40 columns each (the latest readings, the present one last) and the players
in the columns that are left: one grid at 80 columns, two at 120, three at 160 and more. A narrower one has the players
below. It is at most 23 lines high, so that it fits 24. Loads no compiled code.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

from dupai.cards import CLASS_TEXT
from dupai.cli._grid import COLORS
from dupai.cli._scene import Glance, Scene, Score, Seat, Truth
from dupai.cli._telling import cards_shown
from dupai.notation import likelier_reason, reason_words, word_of

#: Columns of a grid, and of a grid with the gap beside it.
_GRID, _PANEL = 39, 40
#: Most grids; least columns of a screen with the players beside the grid, and of one that explains its words.
_MAX_GRIDS, _WIDE, _ROOMY = 3, 80, 110
#: Made hands named under a grid.
_NAMED = 4


def frame(scene: Scene, width: int) -> list[Text]:
    """The screen as lines, each at most ``width`` columns (from 60 on)."""
    lines = [_head(scene, width), _whose(scene, width)]
    if width < _WIDE or not scene.reader:
        lines += _narrow(scene, width) if scene.reader else _seats(scene, width, 22)
    else:
        lines += _wide(scene, width)
    for line in lines:
        line.no_wrap = True
        line.truncate(width, overflow="ellipsis")
    return lines


def _head(scene: Scene, width: int) -> Text:
    head = Text(f"hand {scene.hand} of {scene.hands}", style="bold")
    head.append(f"   blinds {scene.stakes}   {scene.live} of {len(scene.seats)} in", style="not bold")
    if width >= _WIDE:
        head.append(f"   seed {scene.seed}   ● button  ▸ to act", style="dim not bold")
    return head


def _whose(scene: Scene, width: int) -> Text:
    """Whose view the reading is."""
    if not scene.reader:
        return Text("no reader: what players hold is not shown", style="dim")
    line = Text(scene.reader, style="bold cyan")
    line.append(" reads ", style="not bold default")
    line.append(scene.villain, style="bold yellow")
    if width >= _WIDE:
        line.append("   observer's view: bets and board, no hole cards", style="not bold default dim")
        if width >= _ROOMY:
            line.append("   blue to red: unlikely to likely", style="not bold default dim")
    else:
        line.append(", seeing bets and board", style="not bold default dim")
    return line


# grids ---------------------------------------------------------------------------------------------------------------


def _grid(glance: Glance | None, truth: Truth | None) -> list[Text]:
    """13 lines; the true hand is framed in white."""
    lines = []
    for row in range(13):
        line = Text()
        for square in range(row * 13, row * 13 + 13):
            if truth is not None and truth.square == square:
                line.append(f"{CLASS_TEXT[square]:<3}", style="bold black on bright_white")
                continue
            level = COLORS[int(glance.levels[square])] if glance is not None else COLORS[0]
            ink = "color(255)" if glance is not None and glance.levels[square] != "0" else "color(240)"
            line.append(f"{CLASS_TEXT[square]:<3}", style=f"{ink} on color({level})")
        lines.append(line)
    return lines


def _made(glance: Glance | None, width: int, named: int = _NAMED) -> list[Text]:
    """The likely made hands by name, with bars where there is room."""
    lines = []
    for name, share in glance.made[:named] if glance is not None else ():
        line = Text(f"{word_of(name):<16}"[: max(width - 5, 1)])
        room = width - 22
        if room > 4:
            line.append(f"{'█' * round(share * room):<{room}}", style="color(160)")
        line.pad_right(width - 5 - len(line.plain))
        line.append(f"{100 * share:>3.0f} %")
        lines.append(line)
    return lines + [Text()] * (named - len(lines))


def _title(glance: Glance) -> Text:
    line = Text(glance.when, style="bold")
    about = f": about {float(f'{glance.likely:.2g}'):,.0f} of {glance.legal:,} hands"
    if len(line.plain) + len(about) <= _GRID:
        line.append(about, style="not bold dim")
    return line


# results -------------------------------------------------------------------------------------------------------------


def _result(scene: Scene, width: int) -> Text:
    """What the player held, once it is known."""
    truth = scene.truth
    if truth is None:
        return Text("the hand ended without a showdown of theirs" if scene.ended else "", style="dim")
    line = Text(f"{scene.villain} held ")
    line.append_text(cards_shown(truth.cards, signs=True))
    line.append(f" ({word_of(truth.made)}): ")
    words = f"{2**truth.reader:.1f} x as likely"
    if width >= _ROOMY:
        words = f"{reason_words(likelier_reason(truth.reader, 'it'))} ({truth.reader:+.2f} bits)"
    line.append(words, style="bold green" if truth.reader > 0 else "bold")
    return line


def _score(score: Score, reader: str) -> Text:
    """The running score over all hands shown."""
    return Text(score.words(reader)) if score.shown else Text("no hand was shown yet", style="dim")


# players -------------------------------------------------------------------------------------------------------------


def _seats(scene: Scene, width: int, height: int, notes: bool = True) -> list[Text]:
    """The players, board and pot, and the events for which there is room: ``height`` lines."""
    names = min(max([len(s.name) for s in scene.seats]), max(width - 22, 8))
    lines = [_seat(seat, names, width) for seat in scene.seats]
    if notes:
        middle = Text("board  ")
        middle.append_text(cards_shown(scene.board, signs=True) if scene.board else Text("none yet", style="dim"))
        pot = Text(f"pot    {scene.pot:,}", style="bold")
        lines = [Text(f"  {'player':<{names}} {'chips':>6} ", style="dim"), *lines, Text(), middle, pot, Text()]
        room = height - len(lines)
        # One that is too long for its line is broken.
        broken = [part for note in scene.notes for part in _broken(note, width)]
        lines += [Text(note, style="dim") for note in broken[max(len(broken) - room, 0) :]]
    return (lines + [Text()] * height)[:height]


def _broken(note: str, width: int) -> list[str]:
    import textwrap

    return textwrap.wrap(note, width, subsequent_indent="  ")


def _seat(seat: Seat, names: int, width: int) -> Text:
    line = Text()
    line.append("● " if "b" in seat.marks else "▸ " if "a" in seat.marks else "  ", style="yellow")
    style = "dim" if set("fo") & set(seat.marks) else "bold" if "a" in seat.marks else "default"
    line.append(f"{seat.name[:names]:<{names}} ", style=style)
    line.append(f"{seat.stack:>6,} ", style=style)
    if seat.cards:
        line.append_text(cards_shown(seat.cards, signs=True))
        line.append(" ")
    line.append(
        seat.words, style="bold green" if seat.words[:1] == "+" else "yellow" if "all-in" in seat.words else style
    )
    line.truncate(width, overflow="ellipsis")
    return line


# layouts -------------------------------------------------------------------------------------------------------------


def _beside(*columns: tuple[Sequence[Text], int]) -> list[Text]:
    """Columns of lines side by side, each padded to its width."""
    rows = max(len(lines) for lines, _ in columns)
    out = []
    for row in range(rows):
        whole = Text()
        for lines, width in columns:
            part = lines[row].copy() if row < len(lines) else Text()
            part.truncate(width, overflow="ellipsis", pad=True)
            whole.append_text(part)
        whole.rstrip()
        out.append(whole)
    return out


def _wide(scene: Scene, width: int) -> list[Text]:
    needed = max(_PANEL, max(len(seat.name) for seat in scene.seats) + 22)
    grids = min(max((width - needed) // _PANEL, 1), _MAX_GRIDS)
    shown: list[Glance | None] = list(scene.glances[-grids:])
    shown += [None] * (grids - len(shown))
    columns: list[tuple[Sequence[Text], int]] = []
    for glance in shown:
        lines = [] if glance is None else [_title(glance), *_grid(glance, scene.truth), *_made(glance, _GRID)]
        columns.append((lines, _PANEL))
    height = 1 + 13 + _NAMED
    columns.append((_seats(scene, width - grids * _PANEL, height), width - grids * _PANEL))
    return [*_beside(*columns), _result(scene, width), _score(scene.score, scene.reader)]


def _narrow(scene: Scene, width: int) -> list[Text]:
    """The grid with the score beside it, the players below."""
    glance = scene.glances[-1] if scene.glances else None
    side = width - _PANEL
    made = _made(glance, side, 5)
    lines: list[Text] = [Text(glance.when if glance is not None else "", style="bold"), *made, Text()]
    if scene.truth is not None:
        held = Text("held ")
        held.append_text(cards_shown(scene.truth.cards, signs=True))
        lines += [held, Text(f"{2**scene.truth.reader:.2f} x as likely", style="bold")]
    else:
        lines += [cards_shown(scene.board, signs=True), Text(f"pot {scene.pot:,}", style="bold")]
    lines.append(Text())
    if scene.score.shown:
        lines += [
            Text(f"likelier, {scene.score.shown} shown"),
            Text(f"reader {2 ** (scene.score.reader / scene.score.shown):.2f} x", style="bold"),
            Text(f"table  {2 ** (scene.score.table / scene.score.shown):.2f} x"),
        ]
    grid = _grid(glance, scene.truth)
    return [*_beside((grid, _PANEL), (lines, side)), *_seats(scene, width, len(scene.seats), notes=False)]
