# SPDX-License-Identifier: BSD-2-Clause
"""The meta tests can fail: each is shown a small tree that breaks its rule, and one that does not."""

import contextlib
import io
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import abi
import doxygen
import format as clang_format
import headers
import hygiene
import layers
import limits
import links
import mcdc
import paths
import phrases
import pointers
import prose
import purity
import registered
import reproducible
import runpath
import subjects
import symbols
import tree
import vectors
import version
import words
import writable

HEAD = "/* SPDX-License-Identifier: BSD-2-Clause */\n/* A file of the self-test. */\n"


class MetaTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()

    def write(self, file, text, head=HEAD):
        path = self.root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(head + text, encoding="utf-8")
        return str(path)

    def compile(self, file, *flags):
        subprocess.run(["cc", *flags, file], cwd=self.root, check=True)


class Layers(MetaTest):
    def complaints(self, file, include):
        path = self.write(file, f"#include {include}\n")
        found = layers.check(self.root)
        Path(path).unlink()
        return found

    def test_headers_of_lower_layers_are_fine(self):
        self.write("libiwarp/src/base/cursor.h", "")
        self.write("libiwarp/src/mpa/own.h", "")
        self.assertEqual(self.complaints("libiwarp/src/mpa/a.c", "<iwarp/crc32c.h>"), [])
        self.assertEqual(self.complaints("libiwarp/src/mpa/a.c", '"../base/cursor.h"'), [])
        self.assertEqual(self.complaints("libiwarp/src/mpa/a.c", '"base/cursor.h"'), [])
        self.assertEqual(self.complaints("libiwarp/src/mpa/a.c", '"own.h"'), [])
        self.assertEqual(self.complaints("libiwarp/src/rx/a.c", "<iwarp/rdmap.h>"), [])

    def test_an_engine_uses_those_below_it(self):
        for user, used in (("rx", "event"), ("observer", "rx"), ("sctp_observer", "observer"), ("endpoint", "tx")):
            self.assertEqual(self.complaints(f"libiwarp/src/{user}/a.c", f"<iwarp/{used}.h>"), [], user)
            self.assertEqual(len(self.complaints(f"libiwarp/src/{used}/a.c", f"<iwarp/{user}.h>")), 1, used)
        self.assertEqual(len(self.complaints("libiwarp/src/observer/a.c", "<iwarp/tx.h>")), 1)
        self.assertEqual(len(self.complaints("libiwarp/src/endpoint/a.c", "<iwarp/observer.h>")), 1)

    def test_an_engine_shows_another_what_it_offers(self):
        offered = '"../rx/state.h"'
        self.write("libiwarp/src/rx/state.h", "")
        self.write("libiwarp/src/rx/own.h", "")
        self.assertEqual(self.complaints("libiwarp/src/observer/a.c", offered), [])
        self.write("libiwarp/src/observer/b.c", f"#include {offered}\n")
        self.assertEqual(len(self.complaints("libiwarp/src/observer/a.c", '"../rx/own.h"')), 1)
        self.assertEqual(len(self.complaints("libiwarp/src/observer/a.c", '"rx/own.h"')), 1)
        self.assertEqual(len(self.complaints("libiwarp/src/sctp_observer/a.c", offered)), 1)
        self.assertEqual(len(self.complaints("libiwarp/src/tx/a.c", offered)), 1)

    def test_an_offer_that_no_file_takes_is_a_complaint(self):
        self.write("libiwarp/src/tx/for_endpoint.h", "")
        self.assertEqual(len(layers.check(self.root)), 1)
        self.write("libiwarp/src/endpoint/a.c", '#include "../tx/for_endpoint.h"\n')
        self.assertEqual(layers.check(self.root), [])

    def test_the_whole_endpoint_is_seen_by_listed_files(self):
        self.write("libiwarp/src/endpoint/owner.h", "ep->cfg")
        whole, part = "libiwarp/src/endpoint/event.c", "libiwarp/src/endpoint/placement.c"
        self.assertEqual(self.complaints(whole, '"owner.h"\nx = ep->cfg;'), [])
        self.assertEqual(len(self.complaints(whole, "<iwarp/endpoint.h>")), 1)
        self.assertEqual(len(self.complaints(part, '"owner.h"')), 1)
        self.assertEqual(len(self.complaints(part, "<iwarp/endpoint.h>\nx = ep->cfg;")), 1)
        self.assertEqual(self.complaints(part, "<iwarp/endpoint.h>"), [])

    def test_an_observer_changes_its_receive_engines_by_calls(self):
        path = "libiwarp/src/observer/a.c"
        for write in ("rx->base = 1;", "observer->rx[1u - s].refuses = true;", "rx->limits |= 2;", "rx->pos += 3;", "rx->num_buf++;"):
            self.assertEqual(len(self.complaints(path, f"<iwarp/rx.h>\n{write}")), 1, write)
        for read in ("x = rx->base;", "if (rx->base == 1)", "x = rx->pos >= 2;", "iwarpi_rx_set_base(rx, 1);"):
            self.assertEqual(self.complaints(path, f"<iwarp/rx.h>\n{read}"), [], read)

    def test_ddp_does_not_know_mpa(self):
        self.assertEqual(len(self.complaints("libiwarp/src/ddp/a.c", "<iwarp/mpa.h>")), 1)
        self.assertEqual(len(self.complaints("libiwarp/include/iwarp/ddp.h", "<iwarp/mpa.h>")), 1)

    def test_no_layer_uses_a_higher_one(self):
        self.assertEqual(len(self.complaints("libiwarp/src/base/a.c", "<iwarp/rx.h>")), 1)
        self.assertEqual(len(self.complaints("libiwarp/src/rdmap/a.c", "<iwarp/iwarp.h>")), 1)

    def test_private_headers_stay_private(self):
        self.write("libiwarp/src/mpa/own.h", "")
        self.assertEqual(len(self.complaints("libiwarp/src/rx/a.c", '"mpa/own.h"')), 1)
        self.assertEqual(len(self.complaints("conformance/rules/a.c", '"../../libiwarp/src/mpa/own.h"')), 1)

    def test_pure_code_includes_no_system_header(self):
        self.assertEqual(len(self.complaints("libiwarp/src/mpa/a.c", "<stdio.h>")), 1)
        self.assertEqual(len(self.complaints("conformance/ingest/a.c", "<pcap.h>")), 1)
        self.assertEqual(self.complaints("conformance/ingest/pcap_src.c", "<pcap/pcap.h>"), [])
        self.assertEqual(self.complaints("conformance/ingest/file_src.c", "<unistd.h>"), [])

    def test_a_compression_library_is_seen_by_one_file(self):
        self.assertEqual(self.complaints("conformance/unpack/unpack_xz.c", "<lzma.h>"), [])
        self.assertEqual(len(self.complaints("conformance/unpack/unpack_xz.c", "<zlib.h>")), 1)
        self.assertEqual(len(self.complaints("conformance/unpack/unpack.c", "<unistd.h>")), 1)
        self.assertEqual(len(self.complaints("conformance/ingest/a.c", "<unpack/unpack.h>")), 1)

    def test_a_mechanism_of_confinement_is_seen_by_one_file(self):
        self.assertEqual(self.complaints("conformance/confine/landlock.c", "<linux/landlock.h>"), [])
        self.assertEqual(len(self.complaints("conformance/confine/landlock.c", "<seccomp.h>")), 1)
        self.assertEqual(len(self.complaints("conformance/confine/plan.c", "<ingest/ingest.h>")), 1)
        self.assertEqual(len(self.complaints("conformance/ingest/a.c", "<confine/confine.h>")), 1)

    def test_conformance_allocates_in_one_place(self):
        self.write("conformance/memory/include/memory/memory.h", "")
        self.assertEqual(self.complaints("conformance/cli/a.c", "<memory/memory.h>\nx = memory_get(1);"), [])
        self.assertEqual(len(self.complaints("conformance/cli/a.c", "<stdlib.h>\nx = malloc(1);")), 1)
        self.assertEqual(len(self.complaints("conformance/report/a.c", "<stdlib.h>\nx = strdup(y);")), 1)

    def test_ingest_knows_no_iwarp(self):
        self.assertEqual(len(self.complaints("conformance/ingest/a.c", "<iwarp/base.h>")), 1)

    def test_a_rule_does_not_change_the_state(self):
        self.write("conformance/rules/state.h", "")
        self.assertEqual(self.complaints("conformance/rules/leave.c", '"state.h"'), [])
        self.assertEqual(len(self.complaints("conformance/rules/classify.c", '"state.h"')), 1)
        self.assertEqual(len(self.complaints("conformance/rules/rules_ddp.c", '"state.h"')), 1)

    def test_report_sees_no_internals_of_the_rules(self):
        self.write("conformance/rules/internal.h", "")
        self.assertEqual(self.complaints("conformance/report/a.c", "<iwarp/rules.h>"), [])
        self.assertEqual(len(self.complaints("conformance/report/a.c", '"../rules/internal.h"')), 1)


    def test_report_opens_no_capture_and_knows_no_ingest(self):
        self.assertEqual(len(self.complaints("conformance/report/a.c", "<pcap.h>")), 1)
        self.assertEqual(len(self.complaints("conformance/report/a.c", "<ingest/ingest.h>")), 1)

    def test_observe_stands_between_ingest_and_the_reports(self):
        self.write("conformance/observe/own.h", "")
        self.write("conformance/observe/include/observe/observe.h", "")
        self.write("conformance/cli/opts.h", "")
        for include in ('"own.h"', "<observe/observe.h>", "<ingest/sctp.h>", "<iwarp/rules.h>", "<stdlib.h>"):
            self.assertEqual(self.complaints("conformance/observe/a.c", include), [], include)
        for include in ("<report/check.h>", '"../cli/opts.h"', "<ingest/pcap_src.h>", "<pcap.h>", "<time.h>"):
            self.assertEqual(len(self.complaints("conformance/observe/a.c", include)), 1, include)
        self.assertEqual(self.complaints("conformance/report/a.c", "<observe/conn.h>"), [])
        self.assertEqual(len(self.complaints("conformance/report/a.c", "<observe/observe.h>")), 1)
        self.assertEqual(len(self.complaints("conformance/ingest/a.c", "<observe/conn.h>")), 1)
        self.assertEqual(len(self.complaints("conformance/rules/a.c", "<observe/conn.h>")), 1)

    def test_a_scenario_makes_packets_and_reads_none(self):
        self.write("conformance/scenario/own.h", "")
        self.write("conformance/scenario/include/scenario/scenario.h", "")
        self.write("conformance/rules/engine.h", "")
        for include in ('"own.h"', "<scenario/scenario.h>", "<iwarp/mpa.h>", "<report/out_buf.h>", "<stdlib.h>"):
            self.assertEqual(self.complaints("conformance/scenario/a.c", include), [], include)
        for include in ("<report/check.h>", '"../rules/engine.h"', "<ingest/ingest.h>", "<pcap.h>",
                        "<observe/conn.h>", "<time.h>", "<locale.h>"):
            self.assertEqual(len(self.complaints("conformance/scenario/a.c", include)), 1, include)
        self.assertEqual(len(self.complaints("libiwarp/tests/unit/check_a.c", "<scenario/scenario.h>")), 1)

    def test_records_open_captures_through_ingest_alone(self):
        self.write("conformance/records/include/records/records.h", "")
        for include in ("<records/records.h>", "<ingest/pcap_src.h>", "<report/finding.h>", "<stats/stats.h>", "<unistd.h>"):
            self.assertEqual(self.complaints("conformance/records/a.c", include), [], include)
        for include in ("<pcap.h>", "<cli/opts.h>", "<sys/socket.h>", "<scenario/scenario.h>"):
            self.assertEqual(len(self.complaints("conformance/records/a.c", include)), 1, include)

    def test_only_the_net_of_peer_has_sockets(self):
        self.write("conformance/peer/include/peer/player.h", "")
        self.write("conformance/peer/net/socket.h", "")
        for include in ("<peer/player.h>", "<iwarp/rules.h>", "<scenario/scenario.h>", "<memory/memory.h>"):
            self.assertEqual(self.complaints("conformance/peer/a.c", include), [], include)
            self.assertEqual(self.complaints("conformance/peer/net/a.c", include), [], include)
        for include in ("<sys/socket.h>", "<poll.h>", "<time.h>", "<spawn.h>"):
            self.assertEqual(len(self.complaints("conformance/peer/a.c", include)), 1, include)
            self.assertEqual(self.complaints("conformance/peer/net/a.c", include), [], include)
        self.assertEqual(len(self.complaints("conformance/peer/net/a.c", "<pcap.h>")), 1)
        for include in ("<peer/player.h>", "<report/jsonw.h>", "<memory/memory.h>"):
            self.assertEqual(self.complaints("conformance/peer/report/a.c", include), [], include)
        for include in ("<sys/socket.h>", "<peer_net/conn.h>", "<cli/diag.h>"):
            self.assertEqual(len(self.complaints("conformance/peer/report/a.c", include)), 1, include)

    def test_the_tool_uses_public_headers(self):
        self.write("conformance/ingest/conn.h", "")
        self.write("conformance/rules/engine.h", "")
        self.write("conformance/cli/opts.h", "")
        self.write("libiwarp/src/mpa/own.h", "")
        for include in ('"opts.h"', "<iwarp/rules.h>", "<ingest/pcap_src.h>", "<observe/observe.h>", "<report/check.h>", "<stdio.h>"):
            self.assertEqual(self.complaints("conformance/cli/a.c", include), [], include)
        for include in ('"../ingest/conn.h"', '"../rules/engine.h"', '"../../libiwarp/src/mpa/own.h"', "<pcap/pcap.h>", '"none.h"'):
            self.assertEqual(len(self.complaints("conformance/cli/a.c", include)), 1, include)

    def test_the_tests_of_the_library_do_not_know_conformance(self):
        self.write("libiwarp/src/mpa/own.h", "")
        self.write("libiwarp/tests/support/hex.h", "")
        self.write("conformance/tests/support/endpoint_pair.h", "")
        for include in ('"hex.h"', '"mpa/own.h"', "<iwarp/mpa.h>", "<stdio.h>"):
            self.assertEqual(self.complaints("libiwarp/tests/unit/check_a.c", include), [], include)
        for include in ("<iwarp/rules.h>", '"ingest/ingest.h"', "<report/check.h>", '"../../../conformance/tests/support/endpoint_pair.h"'):
            self.assertEqual(len(self.complaints("libiwarp/tests/unit/check_a.c", include)), 1, include)
        self.assertEqual(len(self.complaints("libiwarp/tests/consumers/a.c", "<iwarp/rules.h>")), 1)

    def test_api_tests_examples_and_benchmarks_use_public_headers(self):
        self.write("libiwarp/src/mpa/own.h", "")
        for file in ("libiwarp/tests/api/check_a.c", "libiwarp/tests/vectors/check_a.c", "docs/examples/a.c",
                     "libiwarp/bench/bench_a.c", "conformance/bench/a.c"):
            self.assertEqual(self.complaints(file, "<iwarp/mpa.h>"), [], file)
            self.assertEqual(len(self.complaints(file, '"../../src/mpa/own.h"')), 1, file)

    def test_the_tests_of_conformance_see_of_the_library_what_is_public(self):
        self.write("libiwarp/src/mpa/own.h", "")
        self.write("libiwarp/tests/support/hex.h", "")
        self.write("conformance/tests/support/endpoint_pair.h", "")
        self.write("conformance/ingest/conn.h", "")
        for include in ('"hex.h"', '"endpoint_pair.h"', '"ingest/conn.h"', "<iwarp/mpa.h>", "<report/check.h>"):
            self.assertEqual(self.complaints("conformance/tests/unit/check_a.c", include), [], include)
        for include in ('"../../../libiwarp/src/mpa/own.h"', '"mpa/own.h"'):
            self.assertEqual(len(self.complaints("conformance/tests/unit/check_a.c", include)), 1, include)
        self.assertEqual(len(self.complaints("conformance/tests/property/check_a.c", '"ingest/conn.h"')), 1)


class Archives(MetaTest):
    def archive(self, text, *flags):
        self.write("a.c", text)
        self.compile("a.c", "-O0", "-fno-builtin", *flags, "-c")
        subprocess.run(["ar", "rcs", "a.a", "a.o"], cwd=self.root, check=True)
        return str(self.root / "a.a")


class Writable(Archives):
    def test_each_writable_object_is_reported(self):
        for text in ("static int a = 1;\nint *f(void);\nint *f(void) {\n  return &a;\n}\n", "int a;\n",
                     "int f(void);\nint f(void) {\n  static int a;\n  return a++;\n}\n", "_Thread_local int a = 1;\n"):
            self.assertEqual(len(writable.check("objdump", [self.archive(text)])), 1, text)
        self.assertEqual(len(writable.check("objdump", [self.archive("int a;\n", "-fcommon")])), 1)
        self.assertEqual(len(writable.check("objdump", [self.archive("static int a = 1;\nint *f(void);\nint *f(void) {\n  return &a;\n}\n",
                                                                     "-fdata-sections")])), 1)

    def test_constants_and_what_is_named_are_fine(self):
        text = "int b;\nconst int c = 3;\nconst char *const a[] = {\"x\", \"y\"};\n"
        for flag in ("-fPIC", "-fno-pic"):
            self.assertEqual(writable.check("objdump", [self.archive(text, flag) + ":b"]), [], flag)

    def test_what_is_named_is_there(self):
        self.assertEqual(len(writable.check("objdump", [self.archive("const int c = 3;\n") + ":b"])), 1)


class Purity(Archives):
    def test_malloc_is_reported(self):
        archive = self.archive("#include <stdlib.h>\nvoid *f(void) {\n  return malloc(1);\n}\n")
        self.assertEqual(len(purity.check("nm", [archive])), 1)

    def test_protections_are_reported_unless_asked_for(self):
        archive = self.archive("void __stack_chk_fail(void);\nvoid f(void);\nvoid f(void) {\n  __stack_chk_fail();\n}\n")
        self.assertEqual((len(purity.check("nm", [archive])), purity.check("nm", [archive], True)), (1, []))

    def test_memcpy_and_own_functions_are_fine(self):
        archive = self.archive("#include <string.h>\nvoid *g(void *a);\nvoid *g(void *a) {\n  return a;\n}\n"
                               "void *f(void *a) {\n  return memset(g(a), 0, 1);\n}\n")
        self.assertEqual(purity.check("nm", [archive]), [])


class Runpath(MetaTest):
    def test_empty_relative_and_own_folders_are_reported(self):
        for element, wrong in (("", True), ("lib", True), ("$ORIGINAL/lib", True), ("/build", True), ("/build/lib", True),
                               ("$ORIGIN", False), ("${ORIGIN}/../lib", False), ("/opt/lib", False), ("/builder", False)):
            self.assertEqual(len(list(runpath.complaints_of("iwarp", element, "/build"))), wrong, element)

    def test_the_path_of_a_library_is_read(self):
        out = Path(self.root) / "some.so"
        subprocess.run(["cc", "-shared", "-x", "c", "-o", str(out), "-Wl,-rpath,/a:$ORIGIN/b:", "-"], input="int f = 1;\n",
                       text=True, check=True)
        self.assertEqual(len(runpath.check(str(self.root))), 1)
        self.assertEqual(len(runpath.check(str(Path(self.root) / "none"))), 1)


class Symbols(MetaTest):
    def test_both_differences_are_reported(self):
        self.write("a.c", "int iwarp_a(void) {\n  return 0;\n}\nint other(void) {\n  return 0;\n}\n")
        self.compile("a.c", "-shared", "-fPIC", "-o", "a.so")
        library = str(self.root / "a.so")
        self.write(symbols.LIST, "iwarp_a\niwarp_gone\n", head="# head\n")
        self.write(symbols.NAMES_TEST, "")
        self.assertEqual(len(symbols.check(self.root, "nm", library)), 3)

    def test_a_name_function_that_no_test_tries_is_reported(self):
        self.write(symbols.LIST, "iwarp_a_name\niwarp_b_name\niwarp_named\n", head="# head\n")
        self.write(symbols.NAMES_TEST, "  check(iwarp_a_name(1));\n")
        self.assertEqual([c.split(":")[0] for c in symbols.names_untested(self.root)], ["iwarp_b_name"])


class Pointers(MetaTest):
    def test_arithmetic_outside_the_cursor_is_reported(self):
        for line in ("q = s.ptr + 4;", "q = &s->ptr[3];", "s.ptr += 2;", "p = *in.ptr++;", "x = *(const uint32_t *)p;",
                     "memcpy(v.key, p, 16);"):
            self.write("libiwarp/src/mpa/a.c", f"  {line}\n")
            self.assertEqual(len(pointers.check(self.root)), 1, line)

    def test_the_cursor_and_comments_are_exempt(self):
        self.write("libiwarp/src/base/cursor.h", "  q = s.ptr + 4;\n")
        self.write("libiwarp/src/mpa/a.c", "  /* s.ptr + 4 */ x = a * (uint32_t)b;\n"
                   "  q = s.ptr + 4; /* bound: checked above */\n")
        self.assertEqual(pointers.check(self.root), [])


class Hygiene(MetaTest):
    def test_each_fault_is_reported(self):
        slash = "/"
        faults = {"int a; \n": "blanks", "\tint a;\n": "a tab", f"{slash}home/me/x\n": "machine",
                  "int a; /* TO" "DO */\n": "unfinished",
                  "a(); /* LCOV_EXCL_LINE */\n": "exclusion", "a(); /* LCOV_EXCL_START: DefensiveCoding */\n": "exclusion", "int a;": "newline"}
        for text, word in faults.items():
            self.write("a.c", text)
            found = hygiene.check(self.root)
            self.assertEqual(len(found), 1, text)
            self.assertIn(word, found[0])

    def test_a_source_without_head_is_reported(self):
        self.write("a.c", "int a;\n", head="")
        self.write("b.c", "/* SPDX-License-Identifier: BSD-2-Clause */\n\n\n", head="")
        self.write("script", "#!/bin/sh\necho\n", head="")
        self.assertEqual(len(hygiene.check(self.root)), 3)

    def test_a_good_file_is_fine(self):
        self.write("a.c", "int a; /* see docs/home/x and ../home/y */\n")
        self.assertEqual(hygiene.check(self.root), [])


class Words(MetaTest):
    def check(self, text, file="docs/a.md"):
        self.write(file, text)
        return words.check(self.root)

    def test_words_are_found_in_text_and_in_names(self):
        for text in ("What lies Behi" "nd it.\n", "at\x20hand\n", "static void ask_to" "ld(int an" "ew_one);\n", "la" "b_new()\n"):
            self.assertEqual(len(self.check(text)), 1 + text.count("ask"), text)

    def test_parts_of_other_words_are_none(self):
        self.assertEqual(self.check("a label, iwarp_tristate, available\n"), [])

    def test_sentences_of_the_rfcs_stay(self):
        self.assertEqual(self.check("stay behi" "nd\n", "conformance/requirements/a.tsv"), [])

    def test_a_comment_of_a_member_stands_alone(self):
        for text in ("int a; /* of a capture */\n", "int a; /**< of a capture */\n", "/* which is\n * it. */\nint a;\n", "int a; // or NULL\n",
                     "int a; /* the side, */\n", "/* The side,\n*/\nint a;\n"):
            found = self.check(text, "libiwarp/include/iwarp/a.h")
            self.assertEqual(len(found), 1, text)
            self.assertTrue(found[0].startswith("libiwarp/include/iwarp/a.h:%d: " % (text[:text.find("/")].count("\n") + 1 + HEAD.count("\n"))), found)

    def test_a_comment_that_names_its_thing_stands_alone(self):
        for text in ("int a; /* bound of a capture */\n", "/* As of 4.0, the side. */\n", "int a; /* offset, in octets */\n", "int a; /* tokens */\n",
                     'char *a = "/* of it */";\n', "/* The list:\n *\n * - of octets.\n */\nint a;\n", "int a; /* for() */\n"):
            self.assertEqual(self.check(text, "libiwarp/include/iwarp/a.h"), [], text)

    def test_comments_of_tests_and_of_other_languages_may_be_fragments(self):
        self.assertEqual(self.check("int a; /* of a capture */\n", "libiwarp/include/tests/a.c"), [])
        self.assertEqual(self.check("# of a capture\n", "libiwarp/include/a.py"), [])


class Phrases(unittest.TestCase):
    def test_each_pattern_refuses_its_bad_example_and_accepts_its_good_one(self):
        for name, _, _, bad, good in phrases.ROWS:
            self.assertEqual([found for found, _ in phrases.found_in(bad) if found == name], [name], bad)
            self.assertNotIn(name, [found for found, _ in phrases.found_in(good)], good)

    def test_the_good_examples_have_no_phrase_at_all(self):
        for row in phrases.ROWS:
            self.assertEqual(list(phrases.found_in(row[-1])), [], row[-1])


class Prose(MetaTest):
    LONG = "word " * 26

    def of_tree(self, text, file):
        self.write(file, text)
        return words.check(self.root)

    def words_of(self, text, file):
        return [found for _, found in prose.of(Path(file), text)]

    def test_a_sentence_has_25_words_at_most(self):
        for file, text in (("a.c", "/* %s */"), ("a.h", "/** a;\n * %s\n */"), ("a.c", "// %s"), ("a.md", "%s"),
                           ("a.py", '"""%s"""'), ("a.py", "# %s")):
            self.assertEqual(len(list(words.prose_complaints(Path(file), text % self.LONG))), 1, (file, text))
            self.assertEqual(list(words.prose_complaints(Path(file), text % self.LONG[:-6])), [], (file, text))

    def test_a_colon_a_semicolon_and_an_empty_line_end_a_sentence(self):
        for end in (": ", "; ", ". ", "\n *\n * "):
            self.assertEqual(list(words.prose_complaints(Path("a.c"), "/* %s%s%s */" % ("word " * 19 + "word", end, "Word " * 20))), [])

    def test_what_is_no_prose_is_left_out(self):
        for file, text in (("a.c", "int nobody; /* a */ %s"), ("a.c", "/*@ %s */"), ("a.c", "/* a\n *\n *     %s\n */"),
                           ("a.md", "```\n%s\n```\n"), ("a.md", "| %s |\n"), ("a.md", "> %s\n"), ("a.md", "text\n\n    %s\n"),
                           ("a.md", "# %s\n"), ("a.md", "`%s`"), ("a.md", "- RFC 1 section 2 (MUST): %s\n"),
                           ("a.c", "/* Usage:\n * a   %s\n */"), ("a.py", "a = '%s'"), ("a.tsv", "%s")):
            self.assertEqual(list(words.prose_complaints(Path(file), text % (self.LONG + " nobody"))), [], (file, text))

    def test_strings_of_c_are_messages_and_begin_no_comment(self):
        self.assertEqual(self.words_of('char *a = "/* one */"; /* two */', "a.c"), ["two"])

    def test_items_of_a_list_are_read_one_by_one(self):
        self.assertEqual(self.words_of("Two:\n- one\n  more\n- two\n", "a.md"), ["Two:", "one more", "two"])
        self.assertEqual(self.words_of("/* Two:\n * - one\n *   more\n * - two */", "a.c"), ["Two:", "one more", "two"])

    def test_macros_of_a_manual_are_words_or_end_a_paragraph(self):
        text = ".Dd today\n.Sh NAME\nTakes\n.Ar FILE\nand\n.Fl x , y ;\nboth.\n.Pp\nMore.\n.Bd -literal\nnobody\n.Ed\n"
        self.assertEqual(self.words_of(text, "a.1"), ["Takes FILE and Code; both.", "More."])

    def test_comments_of_lines_that_follow_are_one(self):
        self.assertEqual(self.words_of("# one\n# more\na = 1  # two\n\n# three\n", "a.py"), ["one more", "two", "three"])

    def test_python_that_does_not_parse_has_no_prose(self):
        self.assertEqual(self.words_of("def (\n# one\n", "a.py"), [])

    def test_strings_that_follow_each_other_are_one_message(self):
        self.assertEqual(len(self.of_tree('char *a = "octets that are "\n"due";\n', "src/a.c")), 1)
        self.assertEqual(self.of_tree('char *a[] = {"octets that are ", "due"};\n', "src/a.c"), [])
        self.assertEqual(self.of_tree('char *a = "octets that are due";\n', "tests/a.c"), [])
        (self.root / "tests/a.c").unlink()


class Subjects(MetaTest):
    def test_good_subjects(self):
        for subject in ("docs: list what copies of octets do now", "ingest, rules: keep no packet data after it is freed",
                        "README.md: say it", "a/b: need it", "Merge branch 'main' into x", 'Revert "An old one"', "a: " + "verb " * 13 + "four"):
            self.assertIsNone(subjects.fault(subject), subject)

    def test_bad_subjects(self):
        for subject in ("List what copies do", "docs: List it", "docs: listed it", "docs: lists it", "docs: listing it", "docs:list it",
                        "rules: what comes after", "rules: the FPDU", "rules: 3 of them", "a: " + "verb " * 14 + "x", ""):
            self.assertIsNotNone(subjects.fault(subject), subject)

    def git(self, *words):
        subprocess.run(["git", "-C", self.root, "-c", "user.name=a", "-c", "user.email=a@b.invalid", *words], check=True, capture_output=True)

    def test_the_commits_of_a_range_are_read(self):
        if not shutil.which("git"):
            self.skipTest("no git")
        self.git("init", "-q")
        for subject in ("Wrong before", "a: say it", "Wrong after"):
            self.git("commit", "-q", "--allow-empty", "-m", subject)
        self.assertEqual(subjects.check(self.root), [])  # the commit that ends the exemption is not there
        with unittest.mock.patch.dict("os.environ", {subjects.RANGE: "HEAD~2..HEAD"}):
            self.assertEqual(len(subjects.check(self.root)), 1)
        with unittest.mock.patch.dict("os.environ", {subjects.RANGE: "no..such"}):
            self.assertEqual(subjects.check(self.root), [])

    def test_without_a_history_there_is_no_complaint(self):
        self.assertEqual(subjects.check(self.root), [])
        with unittest.mock.patch.dict("os.environ", {"PATH": str(self.root)}):
            self.assertEqual(subjects.check(self.root), [])


class Paths(MetaTest):
    def test_files_that_documents_name_are_there(self):
        self.write("src/a.c", "")
        self.write("docs/b.md", "`src/a.c`, `a.c`, `iwarp.c`\n")
        self.assertEqual(paths.check(self.root), [])
        self.write("docs/c.md", "`src/c.c`\n")
        self.assertEqual(len(paths.check(self.root)), 1)

    def test_functions_that_documents_name_are_there(self):
        self.write("src/a.c", "void iwarp_there(void);\n")
        self.write("docs/b.md", "`iwarp_there`, `iwarp_there()`, `iwarp_the_...`, `IWARP_OTHER_`\n")
        self.write("docs/CHANGELOG.md", "`iwarp_gone`\n")
        self.assertEqual(paths.check(self.root), [])
        self.write("docs/c.md", "`iwarp_gone` `IWARP_GONE`\n")
        self.assertEqual(len(paths.check(self.root)), 2)

    def test_headers_declare_what_documents_say(self):
        self.write("libiwarp/include/iwarp/a.h", "void iwarp_there(void); /* not iwarp_other */\n")
        self.write("src/a.c", "iwarp_other\n")
        self.write("docs/b.md", "`iwarp_there` (iwarp/a.h)\n")
        self.assertEqual(paths.check(self.root), [])
        self.write("docs/c.md", "`iwarp_other` (iwarp/a.h), iwarp/b.h\n")
        self.assertEqual(len(paths.check(self.root)), 2)

    def test_the_guide_names_members_that_there_are(self):
        self.write("libiwarp/include/iwarp/a.h", "struct { int sync; /* once: proof */ } iwarp_a_eof(void);\n")
        self.write("docs/guide.md", "`sync`, `_eof`, `getsockopt`\n")
        self.write("docs/design.md", "`proof`\n")
        self.assertEqual(paths.check(self.root), [])
        self.write("docs/guide.md", "`proof`, `_fin`\n")
        self.assertEqual(len(paths.check(self.root)), 2)


class Links(MetaTest):
    def complaints(self, text):
        self.write("docs/README.md", "[a](a.md) [b](b.md)\n", head="")
        self.write("docs/b.md", "# One\n\n## `a_b`: two, three\n\n## Again\n\n## Again\n\n```\n# no heading\n```\n", head="")
        self.write("docs/a.md", text, head="")
        return list(links.check(self.root))

    def test_links_that_lead_to_files_and_headings(self):
        for link in ("b.md", "b.md#one", "b.md#a_b-two-three", "b.md#again-1", "../docs/", "https://x.invalid/y#z"):
            self.assertEqual(self.complaints(f"see [it]({link})\n"), [], link)
        self.assertEqual(self.complaints("# Here\n\n[it](#here) `[c](c.md)`\n\n    [c](c.md)\n\n```\n[c](c.md)\n```\n"), [])

    def test_links_that_lead_nowhere(self):
        for link in ("c.md", "b.md#two", "b.md#again-2", "b.md#no-heading", "#here", "c.png"):
            self.assertEqual(len(self.complaints(f"see\n[it]({link})\n")), 1, link)
        self.assertIn("docs/a.md:2:", self.complaints("see\n[it](c.md)\n")[0])

    def test_pages_that_the_index_lacks(self):
        self.write("docs/c.md", "# C\n", head="")
        self.write("docs/rules/d.md", "# D\n", head="")
        self.assertEqual(self.complaints(""), ["docs/README.md: has no link to docs/c.md"])


class Limits(MetaTest):
    def found(self, file, text):
        self.write(file, text)
        found = limits.check(self.root)
        (self.root / file).unlink()
        return len(found)

    def test_short_limits_are_reported(self):
        for file, text in (("tests/CMakeLists.txt", "set_tests_properties(a PROPERTIES TIMEOUT 300)\n"),
                           ("tests/CMakeLists.txt", "set_tests_properties(a PROPERTIES ENVIRONMENT CK_DEFAULT_TIMEOUT=240)\n"),
                           ("cmake/a.cmake", "set(IWARP_HANG_S 60)\n"),
                           ("tests/a.py", "subprocess.run(a, timeout=600)\n"), ("tests/a.py", "HANG_S = 30\n"),
                           ("tests/check_a.c", "  tcase_set_timeout(t, 60);\n"), (".ci/a", "timeout 20 b\n")):
            self.assertEqual(self.found(file, text), 1, text)

    def test_long_ones_and_other_code_are_fine(self):
        for file, text in (("tests/CMakeLists.txt", "set_tests_properties(a PROPERTIES TIMEOUT ${IWARP_HANG_S})\n"),
                           ("cmake/a.cmake", "set(IWARP_HANG_S 7200)\n"), ("src/a.c", "  alarm(1);\n"),
                           ("tests/a.py", "HANG_S = 3600\nrun(a, timeout=HANG_S)\n"),
                           ("tests/check_a.c", "  /* tcase_set_timeout(t, 60); */\n")):
            self.assertEqual(self.found(file, text), 0, text)


class Version(MetaTest):
    def tree(self, string, entry):
        self.write("libiwarp/include/iwarp/version.h",
                   "#define IWARP_VERSION_MAJOR 0\n#define IWARP_VERSION_MINOR 1\n"
                   f'#define IWARP_VERSION_PATCH 2\n#define IWARP_VERSION_STRING "{string}"\n')
        self.write("docs/CHANGELOG.md", f"# Changes\n\n## {entry}\n", head="")
        self.write("README.md", "Write `find_package(iwarp 0.1 REQUIRED)`. This is version 0.1.2; names may change.\n", head="")
        return self.write("x.pc", "Version: 0.1.2\n")

    def test_versions_agree(self):
        self.assertEqual(version.check(self.root, self.tree("0.1.2", "0.1.2")), [])

    def test_each_difference_is_reported(self):
        self.assertEqual(len(version.check(self.root, self.tree("0.1.3", "0.1.2"))), 1)
        self.assertEqual(len(version.check(self.root, self.tree("0.1.2", "0.1.1"))), 1)
        self.write("libiwarp.pc", "Version: 0.1.1\n")
        self.assertEqual(len(version.check(self.root, str(self.root / "libiwarp.pc"))), 2)
        pc = self.tree("0.1.2", "0.1.2")
        self.write("README.md", "Write `find_package(iwarp 0.0 REQUIRED)`. This is version 0.1.1; names may change.\n", head="")
        self.assertEqual(len(version.check(self.root, pc)), 2)


class Registered(MetaTest):
    def test_a_forgotten_file_is_reported(self):
        self.write("t/unit/check_ddp_hdr.c", "int main(void) {\n")
        self.write("t/meta/a.py", 'if __name__ == "__main__":\n')
        self.write("t/meta/module.py", "")
        self.assertEqual(len(registered.check(self.root, [], ["t"])), 2)

    def test_registered_files_are_found(self):
        self.write("t/unit/check_ddp_hdr.c", "int main(void) {\n")
        self.write("t/meta/b.py", 'if __name__ == "__main__":\n')
        script = self.write("t/meta/a.py", 'import b\nif __name__ == "__main__":\n')
        tests = [self.one("unit.ddp-hdr", ["bin/test-unit-ddp-hdr"], ["unit"]),
                 self.one("meta.a", ["python3", script], ["meta"])]
        self.assertEqual(registered.check(self.root, tests, ["t"]), [])

    def test_labels_are_known_and_named(self):
        self.assertEqual(len(registered.check(self.root, [self.one("unit.a", ["a"], ["units"])], [])), 1)
        self.assertEqual(len(registered.check(self.root, [self.one("unit.a", ["a"], ["meta"])], [])), 1)

    @staticmethod
    def one(name, command, labels):
        return {"name": name, "command": command, "properties": [{"name": "LABELS", "value": labels}]}


class Mcdc(MetaTest):
    PAGE = "| file | function | condition | why |\n|---|---|---|---|\n"

    def setUp(self):
        super().setUp()
        self.write("libiwarp/src/a.c", "int f(int a, int b) {\n  return a &&\n    b > 1;\n}\n", head="")

    @staticmethod
    def export(*covered):
        leaves = [[2, 10, 2, 11, 1, 1, 0, 0, 6], [3, 5, 3, 10, 1, 1, 0, 0, 6]]
        record = [2, 10, 3, 10, 0, 5, list(covered)]
        return {"data": [{"functions": [{"name": "a.c:f", "filenames": ["/x/libiwarp/src/a.c"], "branches": leaves,
                                         "mcdc_records": [record]}] * 20}]}

    def check(self, page, *covered):
        with contextlib.redirect_stdout(io.StringIO()):
            return mcdc.check_page(self.root, page) + mcdc.check_export(self.root, page, self.export(*covered))

    def test_each_gap_has_its_row(self):
        self.assertEqual(self.check(self.PAGE, True, True), [])
        self.assertEqual(len(self.check(self.PAGE, True, False)), 2)  # not listed, and below the limit
        self.assertEqual(self.check(self.PAGE + "| a.c | f | `b > 1` | no input |\n", True, False), ["below 95 %"])

    def test_each_row_has_its_gap(self):
        self.assertEqual(len(self.check(self.PAGE + "| a.c | f | `b > 1` | no input |\n", True, True)), 1)
        self.assertEqual(len(self.check(self.PAGE + "| a.c | f | `b > 2` | no input |\n", True, True)), 2)

    def test_a_row_names_what_is_there(self):
        for row in ("| b.c | f | `a` | why |", "| a.c | g | `a` | why |", "| a.c | f | `c` | why |", "| a.c | f | `a` | |"):
            self.assertEqual(len(mcdc.check_page(self.root, self.PAGE + row + "\n")), 1, row)


class Abi(MetaTest):
    TEXT = """typedef struct iwarp_a {
  int x;
  union {
    short y[3];
    const char *z;
  } u;
} iwarp_a;
typedef enum iwarp_e { IWARP_E_ONE = 1, IWARP_E_TWO } iwarp_e;
#define IWARP_A_LEN 3u
IWARP_API int iwarp_f(const iwarp_a *a, iwarp_e e);
"""

    def describe(self, text):
        self.write("libiwarp/include/iwarp/export.h", "#define IWARP_API\n", head="#pragma once\n")
        self.write("libiwarp/include/iwarp/iwarp.h", "#include <iwarp/export.h>\n" + text)
        return abi.describe(self.root, "cc", "readelf")[0]

    def test_offsets_values_and_prototypes_are_reported(self):
        text = self.describe(self.TEXT)
        for line in ("struct iwarp_a of 16", "     0      4  int x", "     8      6    short int[3] y", "     8      8    const char *z",
                     "  IWARP_E_TWO = 2", "IWARP_A_LEN 3u", "int iwarp_f(const iwarp_a *a, iwarp_e e)"):
            self.assertIn(line + "\n", text)

    def test_each_change_shows(self):
        before = self.describe(self.TEXT)
        for old, new in (("int x", "long x"), ("y[3]", "y[5]"), ("ONE = 1", "ONE = 0"), ("3u", "4u"), ("iwarp_e e)", "int e)"),
                         ("  int x;", "  int x;\n  int w;"), ("IWARP_E_TWO }", "IWARP_E_TWO, IWARP_E_THREE }")):
            self.assertNotEqual(self.describe(self.TEXT.replace(old, new)), before, new)

    def test_the_symbols_are_those_of_the_headers(self):
        self.describe(self.TEXT)
        self.write(abi.LIST, abi.describe(self.root, "cc", "readelf")[0], head="")
        self.write(symbols.LIST, "iwarp_f\n", head="")
        self.assertEqual(abi.check(self.root, "cc", "readelf"), [])
        self.write(symbols.LIST, "iwarp_g\n", head="")
        self.assertEqual(len(abi.check(self.root, "cc", "readelf")), 2)


class Headers(MetaTest):
    def check(self, text):
        self.write("iwarp/a.h", text)
        return headers.check("cc", "c++", [str(self.root)])

    def test_a_header_that_needs_another_is_reported(self):
        self.assertEqual(len(self.check("#pragma once\nuint32_t f(void);\n")), 2)

    def test_a_header_without_guard_is_reported(self):
        self.assertEqual(len(self.check("struct a {\n  int b;\n};\n")), 2)

    def test_a_header_that_is_no_cpp_is_reported(self):
        self.assertEqual(len(self.check("#ifndef A\n#define A\nint f(int class);\n#endif\n")), 1)


class Documentation(MetaTest):
    def bare(self, text):
        self.write("libiwarp/include/iwarp/a.h", text)
        return len(list(doxygen.undocumented(self.root)))

    def test_each_part_without_comment_is_reported(self):
        for text in ("typedef struct a {\n  int b;\n} a;\n", "typedef enum a {\n  IWARP_A = 0, /* one */\n  IWARP_B\n} a;\n",
                     "typedef struct a {\n  union {\n    int b; /* one */\n    const char *c[4];\n  } u; /* both */\n} a;\n",
                     "typedef struct a {\n  union {\n    int b; /* one */\n  } u;\n} a;\n"):
            self.assertEqual(self.bare(text), 1, text)

    def test_comments_are_seen(self):
        for text in ("typedef struct a {\n  int b; /* one */\n  /** two,\n   * above */\n  int c;\n} a;\n",
                     "typedef struct a a;\nint b(void);\n", "typedef enum a {\n  LIST(ENUM)\n  IWARP_A /* one */\n} a;\n"):
            self.assertEqual(self.bare(text), 0, text)


class Format(MetaTest):
    def test_bad_layout_is_reported(self):
        program = clang_format.find_clang_format()
        if program is None:
            self.skipTest("there is no clang-format 14 here")
        self.write("a.c", "int  a;\n")
        self.assertNotEqual(clang_format.check(self.root, program), [])

    def program(self, lines):
        """A program that stands in for clang-format."""
        path = self.root / "clang-format"
        path.write_text("#!/bin/sh\n" + lines, encoding="utf-8")
        path.chmod(0o755)
        return str(path)

    def test_a_clang_format_that_fails_is_reported(self):
        self.write("a.c", "int a;\n")
        for ends, status in (("kill -SEGV $$\n", -11), ("echo no such option >&2\nexit 1\n", 1), ("exit 2\n", 2)):
            program = self.program(ends)
            for command in (clang_format.check, clang_format.fix):
                [complaint] = command(self.root, program)
                self.assertIn(f"clang-format failed with status {status}", complaint)
        self.assertEqual(clang_format.check(self.root, self.program("exit 0\n")), [])

    def test_what_moves_again_is_formatted_again(self):
        for text, complaints in (("aa", 0), ("aaaaaaaaa", 1)):
            self.write("a.c", f"{text}\n", head="")
            found = clang_format.fix(self.root, self.program("sed -i s/aa/a/ a.c\n"))
            self.assertEqual(len(found), complaints, found)
        self.write("a.c", "aaa\n", head="")
        self.assertEqual(clang_format.fix(self.root, self.program("sed -i s/aa/a/ a.c\n")), [])
        self.assertEqual((self.root / "a.c").read_text(encoding="utf-8"), "a\n")

    def test_what_is_in_pieces_is_reported(self):
        for broken in ("struct a {\n  int\n      b; /* long */\n};\n", "/* ---- a part\n * ---------- */\n"):
            self.write("a.c", broken)
            self.assertEqual(len(clang_format.pieces(self.root)), 1, broken)
        for whole in ("int\nmain(void);\n", "struct a {\n  int b; /* ---- a */\n  int c;\n};\n", "/* ---- a part ---- */\n"):
            self.write("a.c", whole)
            self.assertEqual(clang_format.pieces(self.root), [], whole)


class Vectors(unittest.TestCase):
    """The vectors of this tree, some left out."""

    def missing_without(self, leave_out):
        return set(vectors.missing(tree.source_root(), lambda vector: not leave_out(vector)))

    def test_an_error_without_vector_is_reported(self):
        self.assertIn("error MPA_MARKER", self.missing_without(lambda v: v["error"] == "MPA_MARKER"))

    def test_a_message_without_vector_is_reported(self):
        def of(*names):
            return lambda v: any(name in (v["value"] or {}) for name in names)
        found = self.missing_without(of("immediate", "sctp_control", "terminate"))
        self.assertLessEqual({"opcode IMMEDIATE", "opcode IMMEDIATE_SE", "Function Code REJECT", "Terminate 1/3/None",
                              "Terminate 2/0/7", "field immediate.immediate", "field terminate.layer"}, found)

    def test_a_form_without_vector_is_reported(self):
        found = self.missing_without(lambda v: "smbd_le" in (v["value"] or {}))
        self.assertEqual({"field smbd_le.ird", "field smbd_le.ord"}, found)

    def test_a_revision_without_vector_is_reported(self):
        found = self.missing_without(lambda v: v["value"] and v["value"].get("mpa", {}).get("rev") == 129)
        self.assertEqual({"revision 129"}, found)

    def test_the_readme_names_what_there_is(self):
        found = self.missing_without(lambda v: v["id"] == "fpdu-figure-5")
        self.assertEqual({"fpdu-figure-5, which the README names"}, found)


class TestReproducible(unittest.TestCase):
    def complaints(self, one, two):
        return list(reproducible.complaints_of([one, two], [Path("/a/one"), Path("/a/second")]))

    def test_equal_builds_pass(self):
        self.assertEqual(self.complaints(b"octets", b"octets"), [])

    def test_another_octet_is_reported(self):
        self.assertEqual(self.complaints(b"octets", b"octeTs"), ["bin/iwarp: 6 and 6 octets, which differ from octet 4 on"])

    def test_more_octets_are_reported(self):
        self.assertEqual(self.complaints(b"octets", b"octets!"), ["bin/iwarp: 6 and 7 octets, which differ from octet 6 on"])

    def test_a_path_of_the_build_is_reported(self):
        self.assertEqual(self.complaints(b"</a/one>", b"</a/one>"), ["bin/iwarp: holds the path of its build, /a/one"])


if __name__ == "__main__":
    unittest.main()
