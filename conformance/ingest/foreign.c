/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Formats that are not read, by what their files begin with: a number of the format, a chain of
 * records that have none, or text.
 */
#include "foreign.h"

#include <stdbool.h>
#include <string.h>

#define EDITCAP "convert it with 'editcap FILE OUT.pcapng'"
#define UNPACK "unpack it and give the capture in it"
#define SAVE "let tcpdump, dumpcap or tshark write the capture with -w FILE"

/* ---- numbers ---- */

typedef struct foreign_magic {
  ing_foreign is;
  const char *magic;
  size_t len;
  size_t at;
} foreign_magic;

#define MAGIC(text) text, sizeof(text) - 1, 0

static const foreign_magic foreign_magics[] = {
    {{"a snoop file", EDITCAP}, MAGIC("snoop\0\0\0")},
    {{"a file of Microsoft Network Monitor 1.x (netmon)", EDITCAP}, MAGIC("RTSS")},
    {{"a file of Microsoft Network Monitor 2.x (netmon)", EDITCAP}, MAGIC("GMBU")},
    {{"an iptrace file of AIX", EDITCAP}, MAGIC("iptrace ")},
    {{"a Sniffer file", EDITCAP}, MAGIC("TRSNIFF data    \x1a")},
    {{"a NetXray or Windows Sniffer file", EDITCAP}, MAGIC("XCP\0")},
    {{"a NetXray file", EDITCAP}, MAGIC("VL\0\0")},
    {{"a file of Savvius OmniPeek", EDITCAP}, MAGIC("\x7fver")},
    {{"a file of Network Instruments Observer", EDITCAP}, MAGIC("ObserverPktBuffe")},
    {{"a RADCOM file", EDITCAP}, MAGIC("\x42\xd2\0\x34\x12\x66\x22\x88")},
    {{"a nettl file of HP-UX", EDITCAP}, MAGIC("\x54\x52\0\x64\0")},
    {{"a file of Visual Networks", EDITCAP}, MAGIC("\x05VNF")},
    {{"a 5View file", EDITCAP}, MAGIC("\xaa\xaa\xaa\xaa")},
    {{"a btsnoop file", "it holds Bluetooth, not iWARP"}, MAGIC("btsnoop\0")},
    {{"a K12 file of Tektronix", EDITCAP}, MAGIC("\0\0\x02\0\x12\x05\0\x10")},
    {{"an lcap file of Ixia", EDITCAP}, MAGIC("\x1c\0\x01\xac")},
    {{"an lcap file of Ixia", EDITCAP}, MAGIC("\xac\x01\0\x1c")},
    {{"an lcap file of Ixia", EDITCAP}, MAGIC("\x1c\0\x01\xab")},
    {{"an lcap file of Ixia", EDITCAP}, MAGIC("\xab\x01\0\x1c")},
    {{"a pcapng file whose line ends were changed", "transfer it again, in binary mode"},
     MAGIC("\x0a\x0d\x0a")},
    {{"a pcapng file whose line ends were changed", "transfer it again, in binary mode"},
     MAGIC("\x0d\x0a\x0d\x0d")},
    {{"text in UTF-16", "the > of PowerShell changes octets: " SAVE}, MAGIC("\xff\xfe")},
    {{"text in UTF-16", "the > of PowerShell changes octets: " SAVE}, MAGIC("\xfe\xff")},
    {{"compressed with bzip2", "unpack it with bunzip2"}, MAGIC("BZh")},
    {{"a zip archive", UNPACK}, MAGIC("PK\x03\x04")},
    {{"a zip archive", UNPACK}, MAGIC("PK\x05\x06")},
    {{"a 7z archive", UNPACK}, MAGIC("7z\xbc\xaf\x27\x1c")},
    {{"a rar archive", UNPACK}, MAGIC("Rar!\x1a\x07")},
    {{"a cabinet archive", UNPACK}, MAGIC("MSCF")},
    {{"a cpio archive", UNPACK}, MAGIC("07070")},
    {{"a tar archive", UNPACK}, "ustar", 5, 257},
    {{"compressed with compress", "unpack it with uncompress"}, MAGIC("\x1f\x9d")},
    {{"compressed with lzip", "unpack it with lzip -d"}, MAGIC("LZIP")},
    {{"compressed with lzma", "unpack it with unlzma"}, MAGIC("\x5d\0\0")},
    {{"a program", "give a capture"},
     MAGIC("\x7f"
           "ELF")},
    {{"a PDF document", "give a capture"}, MAGIC("%PDF")},
    {{"an image", "give a capture"}, MAGIC("\x89PNG")},
    {{"only zeros", "the capture was not written, or was lost with the disk"},
     MAGIC("\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0")},
};

static const ing_foreign *foreign_by_magic(const uint8_t *p, size_t len) {
  for (size_t i = 0; i < sizeof foreign_magics / sizeof foreign_magics[0]; i++) {
    const foreign_magic *m = &foreign_magics[i];
    if (len >= m->at + m->len && memcmp(p + m->at, m->magic, m->len) == 0) {
      return &m->is;
    }
  }
  return NULL;
}

/* ---- headers without a number ---- */

static uint32_t foreign_le32(const uint8_t *p) {
  return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

enum { ETL_HEADER = 16, ETL_UNIT = 1024, ETL_MAX = 16 * 1024 * 1024, ETL_USERS = 65536 };

/* A buffer of Event Tracing for Windows begins with its size, how much of it is in use, twice, and
 * the number of its users. */
static bool foreign_is_etl(const uint8_t *p, size_t len) {
  if (len < ETL_HEADER) {
    return false;
  }
  const uint32_t size = foreign_le32(p);
  const uint32_t saved = foreign_le32(p + 4);
  const uint32_t current = foreign_le32(p + 8);
  return size > 0 && size % ETL_UNIT == 0 && size <= ETL_MAX && saved > 0 && saved <= size &&
         current > 0 && current <= size && foreign_le32(p + 12) < ETL_USERS;
}

enum { ERF_HEADER = 16, ERF_TYPE = 8, ERF_RLEN = 10, ERF_TYPES = 48, ERF_RECORDS = 8 };
#define ERF_STEP 86400u /* seconds between two records, at most */

/* Records of Endace cards: a time whose seconds come second, a type, and a length. Two of them that
 * follow one another are enough. */
static bool foreign_is_erf(const uint8_t *p, size_t len) {
  uint32_t before = 0;
  size_t records = 0;
  for (size_t at = 0; records < ERF_RECORDS && at + ERF_HEADER <= len; records++) {
    const uint32_t seconds = foreign_le32(p + at + 4);
    const unsigned type = p[at + ERF_TYPE] & 0x7fu;
    const size_t rlen = (size_t)p[at + ERF_RLEN] << 8 | p[at + ERF_RLEN + 1];
    const uint32_t step = seconds > before ? seconds - before : before - seconds;
    if (type == 0 || type > ERF_TYPES || rlen < ERF_HEADER || (records > 0 && step > ERF_STEP)) {
      return false;
    }
    before = seconds;
    at += rlen;
  }
  return records >= 2;
}

/* ---- text ---- */

enum { TEXT_SAMPLE = 1024, TEXT_MIN = 8 };

typedef struct foreign_text {
  ing_foreign is;
  const char *begin; /* the text in lower case */
} foreign_text;

#define DUMP "'iwarp decode -' reads a frame of it, and text2pcap makes a capture of it"

static const foreign_text foreign_texts[] = {
    {{"an HTML page", "what was loaded is a page of the server, not the file"}, "<!doctype html"},
    {{"an HTML page", "what was loaded is a page of the server, not the file"}, "<html"},
    {{"XML text", SAVE}, "<"},
    {{"JSON text", SAVE}, "{"},
    {{"JSON text", SAVE}, "["},
    {{"a table that Wireshark exported", SAVE}, "\"no.\""},
    {{"a K12 text file", EDITCAP}, "+-------"},
    {{"a pointer of Git LFS", "fetch the file with 'git lfs pull'"}, "version https://git-lfs"},
    {{"a capture in base64", "decode it with 'base64 -d'"}, "1moyo"},
    {{"a capture in base64", "decode it with 'base64 -d'"}, "obld1"},
    {{"a capture in base64", "decode it with 'base64 -d'"}, "ttyyo"},
    {{"a capture in base64", "decode it with 'base64 -d'"}, "obi8t"},
    {{"a capture in base64", "decode it with 'base64 -d'"}, "cg0nc"},
    {{"a capture in base64", "decode it with 'base64 -d'"}, "h4sia"},
    {{"a capture in hex", "decode it with 'xxd -r -p'"}, "d4c3b2a1"},
    {{"a capture in hex", "decode it with 'xxd -r -p'"}, "a1b2c3d4"},
    {{"a capture in hex", "decode it with 'xxd -r -p'"}, "4d3cb2a1"},
    {{"a capture in hex", "decode it with 'xxd -r -p'"}, "0a0d0d0a"},
};

/* Octets that follow the first one of a character in UTF-8, or -1: that octet begins none. */
static int foreign_following(uint8_t first) {
  const bool plain =
      (first >= ' ' && first < 0x7f) || (first >= '\t' && first <= '\r') || first == 0x1b;
  return plain                            ? 0
         : first >= 0xc2 && first <= 0xdf ? 1
         : first >> 4 == 0xe              ? 2
         : first >> 3 == 0x1e             ? 3
                                          : -1;
}

/* Returns true if all octets are text; the last character may be cut. */
static bool foreign_is_text(const uint8_t *p, size_t len) {
  int follow = 0;
  size_t i = 0;
  for (; i < len && follow >= 0; i++) {
    const bool inside = follow > 0 && p[i] >> 6 == 2;
    follow = inside ? follow - 1 : follow > 0 ? -1 : foreign_following(p[i]);
  }
  return follow >= 0 && len >= TEXT_MIN; /* a capture may be cut in its first octets */
}

static char foreign_lower(uint8_t c) {
  return (char)(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
}

static bool foreign_begins(const uint8_t *p, size_t len, const char *text) {
  size_t i = 0;
  while (text[i] != 0 && i < len && foreign_lower(p[i]) == text[i]) {
    i++;
  }
  return text[i] == 0;
}

static bool foreign_is_hex(uint8_t c) {
  const char low = foreign_lower(c);
  return (low >= '0' && low <= '9') || (low >= 'a' && low <= 'f');
}

enum { DUMP_OFFSET_MIN = 4, DUMP_OFFSET_MAX = 8 };

/* A line of a hex dump: an offset, a colon perhaps, white space, and octets. */
static bool foreign_dump_line(const uint8_t *p, size_t len) {
  size_t at = len > 2 && p[0] == '0' && foreign_lower(p[1]) == 'x' ? 2 : 0;
  size_t digits = 0;
  while (at < len && foreign_is_hex(p[at])) {
    at++;
    digits++;
  }
  at += at < len && p[at] == ':' ? 1 : 0;
  const size_t blank = at;
  while (at < len && (p[at] == ' ' || p[at] == '\t')) {
    at++;
  }
  return digits >= DUMP_OFFSET_MIN && digits <= DUMP_OFFSET_MAX && at > blank && at + 1 < len &&
         foreign_is_hex(p[at]) && foreign_is_hex(p[at + 1]);
}

static size_t foreign_blank(const uint8_t *p, size_t len, size_t at) {
  while (at < len && (p[at] == ' ' || (p[at] >= '\t' && p[at] <= '\r'))) {
    at++;
  }
  return at;
}

/* Returns true if some line is one of a hex dump. */
static bool foreign_is_dump(const uint8_t *p, size_t len) {
  size_t at = foreign_blank(p, len, 0);
  while (at < len && !foreign_dump_line(p + at, len - at)) {
    while (at < len && p[at] != '\n') {
      at++;
    }
    at = foreign_blank(p, len, at);
  }
  return at < len;
}

static const ing_foreign *foreign_by_text(const uint8_t *p, size_t len) {
  static const ing_foreign text = {"text", SAVE};
  static const ing_foreign dump = {"a hex dump", DUMP};
  size_t at = len >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* a mark of UTF-8 */
  at = foreign_blank(p, len, at);
  for (size_t i = 0; i < sizeof foreign_texts / sizeof foreign_texts[0]; i++) {
    if (foreign_begins(p + at, len - at, foreign_texts[i].begin)) {
      return &foreign_texts[i].is;
    }
  }
  return foreign_is_dump(p, len) ? &dump : &text;
}

const ing_foreign *ing_foreign_find(const uint8_t *octets, size_t len) {
  static const ing_foreign etl = {
      "a trace of Windows (.etl), as netsh and pktmon write it",
      "convert it with 'etl2pcapng FILE OUT.pcapng' or 'pktmon etl2pcap FILE'"};
  static const ing_foreign erf = {"an ERF file of Endace", EDITCAP};
  const size_t sample = len < TEXT_SAMPLE ? len : TEXT_SAMPLE;
  const ing_foreign *found = foreign_by_magic(octets, len);
  if (found != NULL) {
    return found;
  }
  if (foreign_is_text(octets, sample)) {
    return foreign_by_text(octets, sample);
  }
  if (foreign_is_etl(octets, len)) {
    return &etl;
  }
  return foreign_is_erf(octets, len) ? &erf : NULL;
}
