"""The model card as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [" | ".join(head), " | ".join("---" for _ in head), *(" | ".join(row) for row in rows)]
    return "\n".join(f"| {line} |" for line in lines) + "\n"


def scores_table(scores: Mapping[str, Mapping[str, Any]]) -> str:
    """Accuracy, log-loss and calibration error of several forecasts."""
    return _table(
        ("forecast", "accuracy", "log-loss (nats)", "calibration error"),
        [
            (
                name,
                f"{100 * s['accuracy']:.2f} ± {196 * s['accuracy_se']:.2f} %",
                f"{s['log_loss']:.4f} ± {1.96 * s['log_loss_se']:.4f}",
                f"{s['ece']:.4f}",
            )
            for name, s in scores.items()
        ],
    )


def details(scores: Mapping[str, Any]) -> str:
    """By street, by action, and the calibration table."""
    streets = [
        (name, f"{n:,}", f"{100 * accuracy:.2f} %", f"{loss:.4f}")
        for name, (accuracy, loss, n) in scores["streets"].items()
    ]
    actions = [
        (
            a["name"], f"{a['decisions']:,}", f"{100 * a['share']:.2f} %", f"{100 * a['said']:.2f} %",
            f"{100 * a['recall']:.1f} %", f"{100 * a['precision']:.1f} %", f"{a['log_loss']:.3f}",
        )
        for a in scores["actions"]
    ]  # fmt: skip
    bins = [
        (f"{b['low']:.1f}-{b['low'] + 0.1:.1f}", f"{b['decisions']:,}", f"{b['said']:.3f}", f"{b['taken']:.3f}")
        for b in scores["table"]
    ]
    return "\n".join(
        (
            _table(("street", "decisions", "accuracy", "log-loss"), streets),
            _table(("action", "decisions", "taken", "foretold", "recall", "precision", "log-loss"), actions),
            _table(("chance of the likeliest action", "decisions", "said", "taken"), bins),
        )
    )


def card_text(card: Mapping[str, Any]) -> str:
    """A card as Markdown."""
    parts = [(name, f"{n['hands']:,}", f"{n['decisions']:,}") for name, n in card["parts"].items()]
    data = ", ".join(f"{name} ({hands:,} hands used)" for name, hands in card["data"].items())
    players = card["players"]
    told = ", ".join(players) if len(players) <= 12 else f"{', '.join(players[:6])} and {len(players) - 6} others"
    settings = card["settings"]
    text = [
        f"# Model card: {card['encoding']} encoding, {card['information']} information\n",
        f"Foretells {', '.join(card['columns'])} of: {told}.\n",
        f"- Data: {data}.",
        f"- Split: {card['split']}; trained on the first part, the epoch chosen on the second, scores of the third.",
        f"- {card['parameters']:,} parameters; batch {settings['batch']}, rate {settings['rate']:g}, seed "
        f"{settings['seed']}, {settings['device']}; epoch {card['best_epoch']} of {card['epochs']} is the best; "
        f"{card.get('seconds', 0):.0f} s with reading and scoring.",
        "- Use: forecasts of actions and readings of hands heads-up no-limit. Players unlike those above are foretold "
        "worse than this card says; programs that only exploit others are no natural opponents.",
        "",
        _table(("part", "hands", "decisions"), parts),
        "## Test part\n",
        "Intervals are 95 %, clustered by hand.\n",
        scores_table(card["test"]),
        details(card["test"]["network"]),
    ]
    if len(card["test_players"]) > 1:
        told_of = [
            (name, f"{n:,}", f"{100 * a:.2f} %", f"{loss:.4f}", f"{ece:.4f}", f"{100 * b:.2f} %", f"{less:.4f}")
            for name, (n, a, loss, ece, b, less) in card["test_players"].items()
        ]
        head = ("player", "decisions", "accuracy", "log-loss", "calibration error", "frequencies: accuracy", "log-loss")
        text += ["## By player, test part\n", _table(head, told_of)]
    if card["test_moves"]:
        text += ["## The same in the paper's moves (all sizes of raises are one)\n", scores_table(card["test_moves"])]
    return "\n".join(text)
