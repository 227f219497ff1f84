#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""new_rule.py: what it writes for a rule compiles, is complete and in its places; the pages are what it would write.

    test_new_rule.py CC
"""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "conformance/rules"))
import new_rule  # noqa: E402

CC = "cc"
COPIED = ("conformance/rules", "conformance/requirements", "conformance/tests/unit", "conformance/tests/support",
          "docs/rules", "pcaps/MANIFEST.tsv", "pcaps/scenarios", "libiwarp/include", "libiwarp/tests/support")
TCP = ["add", "mpa.new-thing", "--area", "startup", "--requirements", "rfc5044-7.1.1-23 rfc5044-C.3-01", "--on", "STARTUP",
       "END", "--impact", "SECURITY", "--summary", "Things are new", "--fault", "A thing is old", "--message", "an old thing: %o"]
SCTP = ["add", "sctp.new-thing", "--area", "sctp", "--transport", "SCTP", "--requirements", "rfc5043-6.4-05",
        "--summary", "Things are new", "--fault", "A thing is old", "--message", "an old thing"]


class NewRule(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.root = Path(self.temporary.name)
        for name in COPIED:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            copy(ROOT / name, self.root / name)

    def tearDown(self):
        self.temporary.cleanup()

    def run_it(self, *argv):
        script = self.root / "conformance/rules/new_rule.py"
        return subprocess.run([sys.executable, "-B", script, *argv], capture_output=True, text=True, check=False)

    def has(self, path, *parts):
        content = new_rule.text(self.root, path)
        for part in parts:
            self.assertIn(part, content)

    def has_scenarios(self, slug, *parts):
        frame = 7 if slug.startswith("sctp.") else 6
        for kind, end in (("pass", f"expect pass {slug}\nforbid *\n"), ("fail", f"expect fail {slug} initiator frame={frame}\n"),
                          ("near", "\nforbid *\n")):
            self.has(f"pcaps/scenarios/{slug}-{kind}.scn", f"meta rule={slug} ", end, *parts)

    def compiles(self, path):
        folders = ("conformance/rules/include", "libiwarp/include", "conformance/tests/support",
                   "libiwarp/tests/support")
        done = subprocess.run([CC, "-std=c11", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                               *(f"-I{self.root / folder}" for folder in folders), self.root / path],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_stubs_of_a_rule_are_in_their_places_and_compile(self):
        done = self.run_it(*TCP)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.has("conformance/rules/catalog.def",
                 'RULE(mpa_new_thing, "mpa.new-thing", TCP, "MUST", VIOLATION, SECURITY,\n'
                 "     RULES_ON_STARTUP | RULES_ON_END,\n", '     "Things are new",\n     "A thing is old",\n     "an old thing: %o")\n')
        self.has("docs/rules/mpa.new-thing.md", "# mpa.new-thing\n", "(`rfc5044-7.1.1-23`, MUST): ", "\n## Cause\n",
                 "- `pcaps/synthetic/rules/mpa.new-thing-fail.pcap`\n")
        self.has("conformance/tests/unit/rules_cases_startup.c", '{"mpa.new-thing", FIXTURE_NEAR, 0, ')
        self.has_scenarios("mpa.new-thing", "\ni> mpa-request C\n", "RFC 5044 7.1.1.\n", "rfc=5044/7.1.1\n")
        for path in ("conformance/rules/catalog.c", "conformance/rules/rules_startup.c",
                     "conformance/tests/unit/rules_cases_startup.c"):
            self.compiles(path)

    def test_a_row_stands_among_those_of_its_area(self):
        self.run_it(*TCP)
        slugs = [slug for slug, _ in new_rule.rules(self.root)]
        self.assertLess(slugs.index("mpa.new-thing"), slugs.index("mpa.enhanced-rev"))
        self.assertGreater(slugs.index("mpa.new-thing"), slugs.index("mpa.pd-length-match"))

    def test_a_rule_on_sctp_has_its_captures_with_those_of_sctp(self):
        done = self.run_it(*SCTP)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.has("conformance/rules/catalog.def", '"sctp.new-thing", SCTP, "implicit", NOTE, INTEROP,')
        self.has_scenarios("sctp.new-thing", "\nsctp\n", "\ni> session-initiate\n", "rfc=5043/6.4\n")
        self.compiles("conformance/rules/rules_sctp.c")
        self.compiles("conformance/tests/unit/rules_cases_sctp.c")

    def test_what_cannot_be_a_rule_changes_nothing(self):
        before = new_rule.text(self.root, new_rule.CATALOG)
        for change in ({1: "mpa.crc"}, {1: "mpa_new"}, {5: "rfc5044-9.9-99"}):
            argv = [change.get(i, word) for i, word in enumerate(TCP)]
            done = self.run_it(*argv)
            self.assertEqual(done.returncode, 1)
            self.assertIn("new_rule: ", done.stderr)
        self.assertEqual(before, new_rule.text(self.root, new_rule.CATALOG))

    def test_a_stale_page_is_named_and_written_again(self):
        path = self.root / "docs/rules/mpa.crc.md"
        page = path.read_text(encoding="utf-8")
        path.write_text(page.replace("- `pcaps/real/", "- `pcaps/unreal/", 1), encoding="utf-8")
        done = self.run_it("check")
        self.assertEqual((done.returncode, done.stdout.split(":")[0]), (1, "docs/rules/mpa.crc.md"))
        self.assertEqual(self.run_it("pages").returncode, 0)
        self.assertEqual(page, path.read_text(encoding="utf-8"))

    def test_the_pages_of_this_tree_are_what_is_due(self):
        self.assertEqual([], [path for path, _ in new_rule.stale_pages(ROOT)])

    def write_silent(self, slug, words):
        path = self.root / f"docs/rules/{slug}.md"
        head, end = path.read_text(encoding="utf-8").split("## When the rule stays silent\n\n")
        path.write_text(f"{head}## When the rule stays silent\n\n{words}\n## Seen in{end.split('## Seen in')[1]}", encoding="utf-8")

    def test_a_sentence_that_many_pages_say_is_named(self):
        slugs = [slug for slug, _ in new_rule.rules(self.root)][:new_rule.SAME_SENTENCE + 1]
        for i, slug in enumerate(slugs):
            self.assertEqual(self.run_it("check").stdout, "")
            self.write_silent(slug, f"Particular to number {i}. Inconclusive after\na gap, see `mpa.crc`.\n")
        done = self.run_it("check")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stdout, f'{len(slugs)} pages say "Inconclusive after a gap, see `mpa.crc`.": '
                                      "docs/silence.md has what many rules share\n")

    def test_a_page_that_says_nothing_of_silence_is_named(self):
        self.write_silent("mpa.crc", "")
        done = self.run_it("check")
        self.assertEqual((done.returncode, done.stdout), (1, "docs/rules/mpa.crc.md: says nothing of when its rule stays silent\n"))

    def test_the_pages_of_this_tree_say_what_is_particular(self):
        self.assertEqual([], [*new_rule.mute_pages(ROOT), *new_rule.common_sentences(ROOT)])

    def test_the_stub_of_a_page_asks_for_what_is_particular(self):
        self.run_it(*TCP)
        self.has("docs/rules/mpa.new-thing.md", f"## When the rule stays silent\n\n{new_rule.MARK}: which missing evidence makes this very rule ")

    def test_ids_of_a_row_are_read_over_several_lines(self):
        ids = dict(new_rule.rules(ROOT))["rdmap.terminate-code"]
        self.assertIn("rfc6580-3.1-08", ids)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        CC = sys.argv.pop(1)
    unittest.main()
