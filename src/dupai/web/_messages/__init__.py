"""What the server and the page say to each other: the one definition, from which the TypeScript types are made."""

from dupai.web._messages._study import *  # noqa: F403
from dupai.web._messages._tables import *  # noqa: F403
