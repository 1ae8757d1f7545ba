"""Text to hand records, spots and actions, and back: ACPC logs and match states, PHH, poker sites, plain words; the
words of reasons in each language. No sockets."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dupai.notation._acpc_log import read_acpc as read_acpc, write_acpc as write_acpc
    from dupai.notation._check import check_record as check_record, check_unstated_rake as check_unstated_rake
    from dupai.notation._chips import format_chips as format_chips, parse_chips as parse_chips, quote as quote
    from dupai.notation._ohh import format_ohh as format_ohh, is_ohh as is_ohh, read_ohh as read_ohh
    from dupai.notation._phh import read_phh as read_phh, write_phhs as write_phhs
    from dupai.notation._reasons import (
        LANGUAGES as LANGUAGES,
        Reason as Reason,
        load_catalogue as load_catalogue,
        reason_words as reason_words,
        with_words as with_words,
    )
    from dupai.notation._spot_text import view_from_text as view_from_text
    from dupai.notation._stars import format_pokerstars as format_pokerstars
    from dupai.notation._words import (
        action_words as action_words,
        advice_words as advice_words,
        card_words as card_words,
        chips_words as chips_words,
        choice_reason as choice_reason,
        choice_words as choice_words,
        legal_words as legal_words,
        likelier_reason as likelier_reason,
        made_hand_words as made_hand_words,
        made_reason as made_reason,
        narrowed_reasons as narrowed_reasons,
        read_answer as read_answer,
        result_reasons as result_reasons,
        result_words as result_words,
        step_reason as step_reason,
        street_choice_words as street_choice_words,
        word_of as word_of,
    )
    from dupai.notation.sites import read_sites as read_sites, site_of as site_of
else:
    from dupai.base import lazy_exports

    __getattr__, __dir__, __all__ = lazy_exports(__name__)
