/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that are no captures: each format is known by its octets, and by nothing that comes near.
 */
#include <stdbool.h>
#include <string.h>

#include "check_run.h"
#include "ingest/foreign.h"

enum { FILE_LEN = 2048 };

/* The first octets of a file. */
typedef struct file {
  uint8_t octets[FILE_LEN];
  size_t len;
} file;

/* `len` octets that no format begins with, and `text_len` octets at `at`. */
static file file_with(const void *octets, size_t octets_len, size_t at, size_t len) {
  file f = {.len = len};
  memset(f.octets, 0x83, sizeof f.octets);
  memcpy(f.octets + at, octets, octets_len);
  return f;
}

static const char *what(const file *f, size_t len) {
  const ing_foreign *found = ing_foreign_find(f->octets, len);
  return found != NULL ? found->what : "nothing";
}

static void expect_what(const file *f, size_t len, const char *expected, const char *why) {
  ck_assert_msg(strcmp(what(f, len), expected) == 0, "%s: %s, not %s", why, what(f, len), expected);
}

/* ---- numbers ---- */

#define NUMBER(text) text, sizeof(text) - 1

static const struct number {
  const char *what;
  const char *octets;
  size_t len;
  size_t at;
} numbers[] = {
    {"a snoop file", NUMBER("snoop\0\0\0"), 0},
    {"a file of Microsoft Network Monitor 1.x (netmon)", NUMBER("RTSS"), 0},
    {"a file of Microsoft Network Monitor 2.x (netmon)", NUMBER("GMBU"), 0},
    {"an iptrace file of AIX", NUMBER("iptrace "), 0},
    {"a Sniffer file", NUMBER("TRSNIFF data    \x1a"), 0},
    {"a NetXray or Windows Sniffer file", NUMBER("XCP\0"), 0},
    {"a NetXray file", NUMBER("VL\0\0"), 0},
    {"a file of Savvius OmniPeek", NUMBER("\x7fver"), 0},
    {"a file of Network Instruments Observer", NUMBER("ObserverPktBuffe"), 0},
    {"a RADCOM file", NUMBER("\x42\xd2\0\x34\x12\x66\x22\x88"), 0},
    {"a nettl file of HP-UX", NUMBER("\x54\x52\0\x64\0"), 0},
    {"a file of Visual Networks", NUMBER("\x05VNF"), 0},
    {"a 5View file", NUMBER("\xaa\xaa\xaa\xaa"), 0},
    {"a btsnoop file", NUMBER("btsnoop\0"), 0},
    {"a K12 file of Tektronix", NUMBER("\0\0\x02\0\x12\x05\0\x10"), 0},
    {"an lcap file of Ixia", NUMBER("\x1c\0\x01\xac"), 0},
    {"an lcap file of Ixia", NUMBER("\xac\x01\0\x1c"), 0},
    {"an lcap file of Ixia", NUMBER("\x1c\0\x01\xab"), 0},
    {"an lcap file of Ixia", NUMBER("\xab\x01\0\x1c"), 0},
    {"a pcapng file whose line ends were changed", NUMBER("\x0a\x0d\x0a"), 0},
    {"a pcapng file whose line ends were changed", NUMBER("\x0d\x0a\x0d\x0d"), 0},
    {"text in UTF-16", NUMBER("\xff\xfe"), 0},
    {"text in UTF-16", NUMBER("\xfe\xff"), 0},
    {"compressed with bzip2", NUMBER("BZh"), 0},
    {"a zip archive", NUMBER("PK\x03\x04"), 0},
    {"a zip archive", NUMBER("PK\x05\x06"), 0},
    {"a 7z archive", NUMBER("7z\xbc\xaf\x27\x1c"), 0},
    {"a rar archive", NUMBER("Rar!\x1a\x07"), 0},
    {"a cabinet archive", NUMBER("MSCF"), 0},
    {"a cpio archive", NUMBER("07070"), 0},
    {"a tar archive", NUMBER("ustar"), 257},
    {"compressed with compress", NUMBER("\x1f\x9d"), 0},
    {"compressed with lzip", NUMBER("LZIP"), 0},
    {"compressed with lzma", NUMBER("\x5d\0\0"), 0},
    {"a program",
     NUMBER("\x7f"
            "ELF"),
     0},
    {"a PDF document", NUMBER("%PDF"), 0},
    {"an image", NUMBER("\x89PNG"), 0},
    {"only zeros", NUMBER("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), 0},
};

START_TEST(a_number_is_known_by_all_of_its_octets)
{
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    const struct number *n = &numbers[i];
    const size_t end = n->at + n->len;
    const file f = file_with(n->octets, n->len, n->at, end);
    expect_what(&f, end, n->what, "its number and no more");
    expect_what(&f, FILE_LEN, n->what, "its number first");
    ck_assert_str_ne(what(&f, end - 1), n->what);
    for (size_t octet = n->at; octet < end; octet++) {
      file other = f;
      other.octets[octet] ^= 0x80;
      ck_assert_str_ne(what(&other, end), n->what);
    }
    const file later = file_with(n->octets, n->len, n->at + 1, end + 1);
    expect_what(&later, end + 1, "nothing", "an octet later");
  }
}
END_TEST

/* ---- headers without a number ---- */

static void put_le32(uint8_t *p, uint32_t value) {
  for (unsigned i = 0; i < 4; i++) {
    p[i] = (uint8_t)(value >> 8 * i);
  }
}

static const char ETL[] = "a trace of Windows (.etl), as netsh and pktmon write it";

static void expect_etl(bool is, uint32_t size, uint32_t saved, uint32_t current, uint32_t users) {
  file f = file_with("", 0, 0, 0);
  put_le32(f.octets, size);
  put_le32(f.octets + 4, saved);
  put_le32(f.octets + 8, current);
  put_le32(f.octets + 12, users);
  const ing_foreign *found = ing_foreign_find(f.octets, 16);
  ck_assert_msg((found != NULL && strcmp(found->what, ETL) == 0) == is,
                "size %u, saved %u, current %u, users %u: %s", size, saved, current, users,
                what(&f, 16));
  expect_what(&f, 15, "nothing", "an octet less");
}

START_TEST(a_buffer_of_a_trace_is_known_by_its_sizes)
{
  const uint32_t max = 16 * 1024 * 1024;
  expect_etl(true, 0x10400, 0x10203, 0x304, 0x102);
  expect_etl(true, 1024, 1, 1, 0);
  expect_etl(true, 1024, 1024, 1024, 65535);
  expect_etl(true, max, max, max, 1);
  expect_etl(false, max + 1024, 1, 1, 0);
  expect_etl(false, 0, 0, 0, 0);
  expect_etl(false, 1025, 1, 1, 0);
  expect_etl(false, 1023, 1, 1, 0);
  expect_etl(false, 1536, 1, 1, 0);
  expect_etl(false, 1024, 0, 1, 0);
  expect_etl(false, 1024, 1025, 1, 0);
  expect_etl(false, 1024, 1, 0, 0);
  expect_etl(false, 1024, 1, 1025, 0);
  expect_etl(false, 1024, 1, 1, 65536);
}
END_TEST

static const char ERF[] = "an ERF file of Endace";

/* A record of a file of Endace: its time, its type and its length. */
static void put_erf(uint8_t *p, uint32_t seconds, uint8_t type, uint16_t rlen) {
  memset(p, 0x91, 16);
  put_le32(p + 4, seconds);
  p[8] = type;
  p[10] = (uint8_t)(rlen >> 8);
  p[11] = (uint8_t)rlen;
}

/* Two records, of which the second begins where `rlen` says. */
static file erf_pair(uint8_t type, uint16_t rlen, uint32_t step) {
  file f = file_with("", 0, 0, 0);
  put_erf(f.octets, 0x81020304, type, rlen);
  put_erf(f.octets + rlen, 0x81020304 + step, type, rlen);
  f.len = rlen + 16u;
  return f;
}

static void expect_erf(bool is, uint8_t type, uint16_t rlen, uint32_t step) {
  const file f = erf_pair(type, rlen, step);
  const bool found = strcmp(what(&f, f.len), ERF) == 0;
  ck_assert_msg(found == is, "type %u, length %u, step %u: %s", type, rlen, step, what(&f, f.len));
}

START_TEST(records_of_cards_are_known_by_two)
{
  expect_erf(true, 2, 16, 0);
  expect_erf(true, 1, 17, 1);
  expect_erf(true, 48, 300, 86400);
  expect_erf(true, 2, 64, (uint32_t)-86400);
  expect_erf(true, 0x82, 64, 1); /* with extension headers */
  expect_erf(true, 2, 0x0102, 1);
  expect_erf(false, 2, 15, 1);
  expect_erf(false, 0, 64, 1);
  expect_erf(false, 0x80, 64, 1);
  expect_erf(false, 49, 64, 1);
  expect_erf(false, 2, 64, 86401);
  expect_erf(false, 2, 64, (uint32_t)-86401);
  const file f = erf_pair(2, 64, 1);
  expect_what(&f, 64 + 15, "nothing", "one record and a part");
  expect_what(&f, 64 + 16, ERF, "two");
}
END_TEST

/* Records after the eighth are not looked at. */
START_TEST(eight_records_of_cards_are_looked_at)
{
  for (unsigned bad = 0; bad < 12; bad++) {
    file f = file_with("", 0, 0, 20 * 16);
    for (unsigned i = 0; i < 20; i++) {
      put_erf(f.octets + 16 * (size_t)i, 1000, i == bad ? 0 : 2, 16);
    }
    expect_what(&f, f.len, bad < 8 ? "nothing" : ERF, "a type that is none");
  }
}
END_TEST

/* ---- text ---- */

static void expect_text(const char *text, const char *expected) {
  const file f = file_with(text, strlen(text), 0, strlen(text));
  expect_what(&f, f.len, expected, text);
}

START_TEST(text_is_known_by_how_it_begins)
{
  expect_text("<!DOCTYPE html><p>", "an HTML page");
  expect_text(" \t\r\n\v\f<!doctype HTML>", "an HTML page");
  expect_text("<HTML lang=en>", "an HTML page");
  expect_text("<htm lang=en>", "XML text");
  expect_text("\xef\xbb\xbf<?xml version", "XML text");
  expect_text("\xef\xbb\xbf{\"a\": 1}", "JSON text");
  expect_text("{\"a\": 1}", "JSON text");
  expect_text("[1, 2, 3]", "JSON text");
  expect_text("\"No.\",\"Time\"", "a table that Wireshark exported");
  expect_text("\"No\",\"Time\"", "text");
  expect_text("+-------+---", "a K12 text file");
  expect_text("+------ +---", "text");
  expect_text("version https://git-lfs.github.com/spec/v1", "a pointer of Git LFS");
  expect_text("1MOyoQIABAA=", "a capture in base64");
  expect_text("obLD1AACAAQ=", "a capture in base64");
  expect_text("TTyyoQIABAA=", "a capture in base64");
  expect_text("obI8TQACAAQ=", "a capture in base64");
  expect_text("Cg0NChwAAAA=", "a capture in base64");
  expect_text("H4sIAAAAAAA=", "a capture in base64");
  expect_text("D4C3B2A10200", "a capture in hex");
  expect_text("a1b2c3d40002", "a capture in hex");
  expect_text("4d3cb2a10200", "a capture in hex");
  expect_text("0a0d0d0a1c00", "a capture in hex");
  expect_text("1MOyO", "nothing"); /* too short for text */
  expect_text("a few words", "text");
  expect_text("\xef\xbb\xbf"
              "a few words",
              "text");
  expect_text("seven..", "nothing");
  expect_text("eight...", "text");
  expect_text("[`{@AZaz", "JSON text");
  expect_text("        ", "text");
}
END_TEST

/* Octets that begin no character of text, each with what follows it. */
START_TEST(text_is_known_by_all_of_its_octets)
{
  for (unsigned first = 0; first < 256; first++) {
    const bool plain =
        (first >= 0x20 && first < 0x7f) || (first >= 9 && first <= 13) || first == 27;
    const unsigned follow = first >= 0xc2 && first <= 0xdf   ? 1
                            : first >= 0xe0 && first <= 0xef ? 2
                            : first >= 0xf0 && first <= 0xf7 ? 3
                                                             : 0;
    for (unsigned number = 0; number < 5; number++) {
      file f = file_with("some text    and some more", 26, 0, 26);
      f.octets[9] = (uint8_t)first;
      memset(f.octets + 10, number % 2 == 0 ? 0xbf : 0x80, number);
      const bool text = number == follow && (plain || follow > 0);
      expect_what(&f, f.len, text ? "text" : "nothing", "a character");
      if (text) {
        expect_what(&f, 10, "text", "cut after its first octet");
      }
    }
    file f = file_with("some text    and some more", 26, 0, 26);
    f.octets[9] = (uint8_t)first;
    f.octets[10] = 0xc0; /* this octet never follows */
    expect_what(&f, f.len, "nothing", "a character that is wrong");
  }
}
END_TEST

START_TEST(text_is_looked_at_as_far_as_a_sample)
{
  file f = file_with("", 0, 0, FILE_LEN);
  memset(f.octets, 'a', 1024);
  expect_what(&f, f.len, "text", "no text after the sample");
  f.octets[1023] = 0;
  expect_what(&f, f.len, "nothing", "no text at the end of the sample");
  expect_what(&f, 1023, "text", "all of it");
}
END_TEST

START_TEST(a_hex_dump_is_known_by_a_line)
{
  static const char dump[] = "a hex dump";
  expect_text("0000 45 00 00 28", dump);
  expect_text("0000  45 00", dump);
  expect_text("0000\t45 00", dump);
  expect_text("0000:\t 45 00", dump);
  expect_text("0x0000:  4500 0028", dump);
  expect_text("0X00aF  4500 0028", dump);
  expect_text("00000000 9f", dump);
  expect_text("99Ff0000 aF", dump);
  expect_text("12:00:00 IP a > b\n\t0x0000:  4500", dump);
  expect_text("words\r\n  0000 45", dump);
  expect_text("words \n\n\n0000 45\n", dump);
  expect_text("000 45 00", "text");
  expect_text("000000000 45", "text");
  expect_text("0000 g5 00", "text");
  expect_text("0000 4g 00", "text");
  expect_text("0000 @5 `5", "text");
  expect_text("0000 /5 :5", "text");
  expect_text("0000 5/ 5:", "text");
  expect_text("0000 G0 00", "text");
  expect_text("0000    4", "text");
  expect_text("0000:4500", "text");
  expect_text("0000;45 0", "text");
  expect_text("00004500", "text");
  expect_text("0000::45 00", "text");
  expect_text("0y0000 45", "text");
  expect_text("1x0000 45", "text");
  expect_text("words 0000 45 00", "text");
  expect_text("00x00 45", "text");
  expect_text("0000    ", "text");
  expect_text("words\n0000:", "text");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("ingest-foreign");
  TCase *tcase = tcase_create("all");
  const TTest *const tests[] = {
      a_number_is_known_by_all_of_its_octets, a_buffer_of_a_trace_is_known_by_its_sizes,
      records_of_cards_are_known_by_two,      eight_records_of_cards_are_looked_at,
      text_is_known_by_how_it_begins,         text_is_known_by_all_of_its_octets,
      text_is_looked_at_as_far_as_a_sample,   a_hex_dump_is_known_by_a_line};
  for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
    tcase_add_test(tcase, tests[i]);
  }
  suite_add_tcase(suite, tcase);
  return check_run(suite);
}
