"""The documentation site: sphinx, furo and MyST. ``make docs`` builds it; warnings are errors."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

from dupai import __version__

project = "dupai"
author = "the dupai authors"
copyright = "the dupai authors, MIT licence"
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "dupai_reference",
    "mathml",
]
exclude_patterns = ["_build", "make", "_ext"]

myst_enable_extensions = ["dollarmath", "colon_fence", "deflist"]
myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 100
napoleon_use_ivar = True
napoleon_use_rtype = False

# Terminal sessions and rule files have no lexer; names exported by two floors have two targets.
suppress_warnings = ["misc.highlighting_failure", "ref.python"]

html_theme = "furo"
html_title = f"dupai {version}"
html_show_sphinx = False
html_math_renderer = "mathml"
