"""The table in the browser: HTTP, sockets and pages over what the floors below do.

FastAPI is imported when a server is made, not before.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.web._server import need_web as need_web, run_server as run_server
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
