"""``dupai web``."""

from __future__ import annotations

from typer import Option

from dupai.base import ConfigError
from dupai.cli._common import JobsOption, resolve_jobs


def web(
    host: str = Option("127.0.0.1", "--host", help="Address to serve on; others than this machine's need --allow."),
    port: int = Option(8000, "--port", help="Port; 0: any that is free.", min=0, max=65535),
    open: bool = Option(False, "--open", help="Open the page in the browser."),
    folder: str | None = Option(None, "--folder", "--data", help="Where tables are kept. [default: web]"),
    source: list[str] = Option([], "--source", help="A file or store of hands to replay; several times."),
    results: list[str] = Option([], "--results", help="A results file to show; several times."),
    reports: list[str] = Option(
        [], "--reports", help="A folder that dupai reproduce --out wrote, or one of such folders; several times."
    ),
    allow: list[str] = Option([], "--allow", help="A host name that browsers may use for this server; several times."),
    jobs: JobsOption = 2,
) -> None:
    """Serve the table in the browser: play agents and people, see what is read, replay, review and solve.

    Tables are kept in --folder: after a crash or a restart everybody comes back to the same hand. --source, --results
    and --reports show hands, results and reports of the command line; browsers cannot name other files. Ctrl-C stops.

    Examples:

      dupai web --open

      dupai web --port 8080 --source hands/ --results ladder.db

      dupai web --reports fold-full
    """
    from dupai.web import run_server

    if host not in ("127.0.0.1", "localhost", "::1") and not allow:
        raise ConfigError(f"--host {host}: name the host that browsers use with --allow", key="allow")
    run_server(
        host,
        port,
        folder=folder,
        sources=source,
        results=results,
        reports=reports,
        allow=allow,
        jobs=resolve_jobs(jobs),
        open_page=open,
    )  # fmt: skip
