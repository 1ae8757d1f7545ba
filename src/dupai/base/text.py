"""Numbers, names and texts as people write and read them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.base._nearest import closest as closest, nearest as nearest
    from dupai.base._printable import plain as plain
    from dupai.base._text import (
        duration as duration,
        labels_of as labels_of,
        number_text as number_text,
        quoted as quoted,
        raised_at as raised_at,
        read_toml as read_toml,
        readable as readable,
        real_number as real_number,
        visible as visible,
        whole_number as whole_number,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
