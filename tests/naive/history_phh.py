"""The careful PHH reader in place of the byte scanner: every table by Python, one by one.

Private modules: where the scanner hands over is no part of the front door.
"""

import numpy as np
import pyarrow.parquet as parquet

from dupai.history import LogFile, import_file, verify_file
from dupai.history._entries import Entry, read_entries, text_lines
from dupai.history._phh_blocks import phh_pieces


def careful_pieces(file, note=None, start=1, seen=None):
    """As ``dupai.history._phh_blocks.phh_pieces``, which falls back to this for whatever is unusual."""
    return read_entries("phh", text_lines(file, note), start, seen=seen)


def left_over(path):
    """The entries of a file that the scanner leaves to the careful reader."""
    with LogFile(path) as file:
        return [piece for piece in phh_pieces(file) if isinstance(piece, Entry)]


def tables(folder):
    """All rows of a store's parts, and the rejects."""
    out = {}
    for source in sorted((folder / "sources").iterdir()):
        for file in sorted(source.glob("*.parquet")):
            table = parquet.ParquetFile(file).read()
            out[file.name] = {name: table.column(name).to_pylist() for name in table.column_names}
        for file in sorted(source.glob("keys-*.npy")):
            out[file.name] = np.load(file).tolist()
        rejects = source / "rejects.tsv"
        out["rejects"] = rejects.read_text() if rejects.exists() else ""
    return out


def both(path, folder, monkeypatch, **options):
    """Import and verify a file with the scanner and without."""
    found = []
    for careful in (False, True):
        with monkeypatch.context() as patch:
            if careful:
                patch.setattr("dupai.history._phh_blocks.phh_pieces", careful_pieces)
            store = folder / f"store{careful}"
            said = import_file(path, store, **options)
            report = verify_file(path)
        facts = {k: getattr(said, k) for k in ("hands", "actions", "rejected", "mismatches", "unproven", "game", "why")}
        facts |= {k: getattr(report, k) for k in ("mismatches", "rejected", "unproven", "game", "complete", "problems")}
        found.append((facts, tables(store)))
    return found
