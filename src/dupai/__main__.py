"""``python -m dupai``."""

from dupai.cli import entry

if __name__ == "__main__":
    entry()
