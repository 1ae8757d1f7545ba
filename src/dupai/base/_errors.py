"""The exception tree: everything that a user can cause derives from :class:`DupaiError`.

```
DupaiError
├── NotationError      text that is not a card, range, log line, spec (quotes the text and the place)
├── RulesError         a well-formed action that is not legal here (says why, lists what is)
├── ConfigError        a game, match or agent setting that makes no sense (names the key)
├── HistoryError       a record whose payoffs, cards or actions do not reconcile (file, line)
├── ProtocolError      a peer that does not keep to the protocol
└── AgentError         an agent that failed or ran out of time
```

The command line prints the message of one of these as a single line and exits with 2.
"""


class DupaiError(Exception):
    """Base of every error that is not a bug in dupai."""


class NotationError(DupaiError):
    """Text that is not what it should be: a card, a range, a log line, an agent spec.

    The message quotes the text and says what was expected.
    """


class RulesError(DupaiError):
    """A well-formed action that is not legal here. The message says why and what is legal."""


class ConfigError(DupaiError):
    """A game, match or agent setting that makes no sense. The message names the key."""


class HistoryError(DupaiError):
    """A recorded hand whose payoffs, cards or actions do not reconcile. The message names file and line."""


class ProtocolError(DupaiError):
    """A peer that does not keep to the protocol."""


class AgentError(DupaiError):
    """An agent that failed, answered with something illegal or ran out of time."""
