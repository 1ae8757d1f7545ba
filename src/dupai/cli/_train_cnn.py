"""``dupai train cnn``: networks that predict a player's actions."""

from __future__ import annotations

from pathlib import Path

from typer import Option

from dupai.cli._common import console, print_json, progress
from dupai.cli._shared import DataOption, DeviceOption, SeedOption, json_keys, leave
from dupai.cli._train_reader import ResumeOption, ShareOption, data_shares, note


def cnn(
    data: DataOption,
    out: Path = Option(..., help="Folder for the network, its card and the checkpoint."),
    player: list[str] | None = Option(None, help="Players to learn (* and ? match any text); default: everybody."),
    encoding: str = Option("rich", help="paper: 20x20 matrix, its network; rich: features, the factored network."),
    information: str = Option("honest", help="honest; literal (the whole log, leaks); or e.g. honest+chips."),
    epochs: int = Option(12, min=1, help="Most epochs over the training set."),
    batch: int = Option(512, min=1, help="Decisions of a step."),
    rate: float = Option(2e-3, min=1e-6, max=1.0, help="Largest learning rate."),
    share: ShareOption = None,
    seed: SeedOption = 0,
    device: DeviceOption = "cpu",
    resume: ResumeOption = False,
    json: bool = json_keys("files, card, seconds"),
) -> None:
    """Train a network that predicts a player's actions in heads-up no-limit (needs torch).

    Matches, card seeds and persons are split as wholes, as in 'dupai read score': the network learns from the training
    set, the validation set chooses the epoch (training stops when it no longer improves), the scores are on the test
    set. Read with the result as 'cnn:file=OUT'. Ctrl-C stops (exit code 130), and --resume continues.

    Examples:

      dupai train cnn --data match.log.xz --player Hyperborean14 --out hb

      dupai train cnn --data match.log --encoding paper --out paper --epochs 4
    """
    from dupai.training import CnnSettings, train_cnn

    every, shares = data_shares(share or [])
    settings = CnnSettings(
        encoding=encoding, information=information, players=tuple(player or ()), share=every, shares=shares,
        epochs=epochs, batch=batch, rate=rate, seed=seed, device=device,
    )  # fmt: skip
    with progress("training a network") as bar:
        trained = train_cnn(data, out, settings, resume=resume, progress=bar, log=note)
    if trained is None:
        leave(complete=False, note=f"stopped; 'dupai train cnn ... --out {out} --resume' continues")
    elif json:
        print_json(trained)
    else:
        screen = console()
        for name, scores in trained.card["test"].items():
            screen.print(
                f"{name:<34} accuracy {100 * scores['accuracy']:6.2f} %  log-loss {scores['log_loss']:.4f}  "
                f"calibration error {scores['ece']:.4f}"
            )
        files = ", ".join(f"{name} {size / 1e3:.0f} kB" for name, size in trained.files.items())
        screen.print(f"{trained.folder}: {files}, trained in {trained.seconds:.0f} s", soft_wrap=True)
