# SPDX-License-Identifier: BSD-2-Clause
"""The configuration of Sphinx for the site. build.py gives the version, the folder of Doxygen's XML and the folder of further files."""

import logging
import os

from links import anchor
from pygments.lexers.special import TextLexer

project = "libiwarp"
version = release = os.environ["IWARP_SITE_VERSION"]
root_doc = "index"
extensions = ["myst_parser", "breathe"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}

# Links in the pages name the anchors that GitHub makes.
myst_heading_anchors = 6
myst_heading_slug_func = anchor
suppress_warnings = ["myst.header"]  # a page may begin its sections deeper

highlight_language = "none"
breathe_projects = {"libiwarp": os.environ["IWARP_SITE_XML"]}
breathe_default_project = "libiwarp"
breathe_domain_by_extension = {"h": "c"}
breathe_default_members = ("members",)
breathe_show_define_initializer = True
breathe_show_include = False

html_theme = "furo"
html_title = f"libiwarp {version}"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_show_sourcelink = False
html_extra_path = [os.environ["IWARP_SITE_EXTRA"]]
html_use_index = False
html_permalinks_icon = "#"
pygments_style = "default"
pygments_dark_style = "monokai"


def names_a_tag(record):
    """In C a function may have the name of an enumeration; Sphinx takes the second for a duplicate of the first."""
    return "iwarp_err_class" not in record.getMessage()


def setup(app):
    app.add_lexer("mermaid", TextLexer)  # a diagram that GitHub draws; here its text is shown
    logging.getLogger("sphinx.sphinx.domains.c").addFilter(names_a_tag)
