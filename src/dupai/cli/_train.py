"""``dupai train``: the tables, constants and networks of readers, learned from hands with known cards."""

from __future__ import annotations

import typer

from dupai.cli import _train_cnn, _train_folds, _train_reader, _train_selfplay, _train_tables
from dupai.cli._groups import Group

app = typer.Typer(cls=Group, help="Learn readers from recorded hands with known hole cards.", no_args_is_help=True)
app.command("start-table")(_train_tables.start_table)
app.command("markov")(_train_tables.markov)
app.command("bucket")(_train_tables.bucket)
app.command("fold")(_train_tables.fold)
app.command("reader")(_train_reader.reader)
app.command("folds")(_train_folds.folds)
app.command("cnn")(_train_cnn.cnn)
app.command("self-play")(_train_selfplay.self_play)
