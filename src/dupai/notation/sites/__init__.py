"""Readers of the hand histories of poker sites: one engine, and a module for each site."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.notation.sites._draft import Draft as Draft
    from dupai.notation.sites._engine import (
        Site as Site,
        SiteHand as SiteHand,
        is_summary as is_summary,
        no_hands as no_hands,
        read_sites as read_sites,
        site_of as site_of,
        sites as sites,
        split_site_text as split_site_text,
    )
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
