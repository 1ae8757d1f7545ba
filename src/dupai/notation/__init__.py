"""Text to hand records and back: ACPC logs and match states, PHH. No sockets and no files of its own."""

from dupai.notation._acpc import format_acpc, parse_acpc_line
from dupai.notation._acpc_log import (
    AcpcEntry,
    AcpcError,
    AcpcHand,
    AcpcText,
    Score,
    detect_game,
    format_score,
    parse_score,
    read_acpc,
    read_acpc_entries,
    sample_of,
    section_title,
    text_kind,
    write_acpc,
)
from dupai.notation._chips import format_chips, parse_chips
from dupai.notation._games import GameChoice, LogSample, choose_game, game_words, header_game
from dupai.notation._kernels import scan_kernel, scan_phh_kernel
from dupai.notation._layout import DEAL, GOOD, HAND_DTYPE, PHH_DTYPE, PHH_WORDS, UNITS, HandColumns
from dupai.notation._matchstate import MatchState, format_matchstate, parse_action, parse_matchstate, split_answer
from dupai.notation._phh import format_phh, phh_actions, write_phhs
from dupai.notation._phh_read import PhhTable, read_phh, read_phh_tables, record_of_phh, state_of_phh
from dupai.notation._sites import SITES, SiteHand, parse_site_hand, read_sites, site_of, split_site_text

__all__ = [
    "DEAL",
    "GOOD",
    "HAND_DTYPE",
    "PHH_DTYPE",
    "PHH_WORDS",
    "SITES",
    "UNITS",
    "AcpcEntry",
    "AcpcError",
    "AcpcHand",
    "AcpcText",
    "GameChoice",
    "HandColumns",
    "LogSample",
    "MatchState",
    "PhhTable",
    "Score",
    "SiteHand",
    "choose_game",
    "detect_game",
    "format_acpc",
    "format_chips",
    "format_matchstate",
    "format_phh",
    "format_score",
    "game_words",
    "header_game",
    "parse_acpc_line",
    "parse_action",
    "parse_chips",
    "parse_matchstate",
    "parse_score",
    "parse_site_hand",
    "phh_actions",
    "read_acpc",
    "read_acpc_entries",
    "read_phh",
    "read_phh_tables",
    "read_sites",
    "record_of_phh",
    "sample_of",
    "scan_kernel",
    "scan_phh_kernel",
    "section_title",
    "site_of",
    "split_answer",
    "split_site_text",
    "state_of_phh",
    "text_kind",
    "write_acpc",
    "write_phhs",
]
