/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the dictionary of all targets, made of the tables of the library: one entry a line, as
 * libFuzzer and AFL++ read them. */
#include <iwarp/field.h>
#include <iwarp/mpa.h>
#include <iwarp/rdmap.h>
#include <iwarp/sctp.h>
#include <stdio.h>
#include <string.h>

static void entry(const char *kind, const char *name, const uint8_t *octets, size_t n) {
  printf("# %s %s\n\"", kind, name);
  for (size_t i = 0; i < n; i++) {
    printf("\\x%02x", (unsigned)octets[i]);
  }
  printf("\"\n");
}

static void number(const char *kind, const char *name, uint64_t v, size_t octets) {
  uint8_t out[8];
  for (size_t i = 0; i < octets; i++) {
    out[i] = (uint8_t)(v >> 8 * (octets - 1 - i));
  }
  entry(kind, name, out, octets);
}

static void startup(void) {
  entry("key", "Request", iwarp_mpa_key_octets(IWARP_MPA_KEY_REQUEST), IWARP_MPA_KEY_LEN);
  entry("key", "Reply", iwarp_mpa_key_octets(IWARP_MPA_KEY_REPLY), IWARP_MPA_KEY_LEN);
}

/* The first two octets of the DDP header of each message. */
static void messages(void) {
  for (uint8_t opcode = 0; opcode < 16; opcode++) {
    const iwarp_rdmap_op *op = iwarp_rdmap_op_get(opcode);
    for (uint16_t last = 0; last < 2; last++) {
      const uint16_t control = (uint16_t)((op->tagged ? IWARP_DDP_CTRL_T : 0) |
                                          (last != 0 ? IWARP_DDP_CTRL_L : 0) | IWARP_DDP_VERSION);
      number("message", op->name, (uint64_t)control << 8 | 0x40u | opcode, 2);
    }
  }
}

/* The first two octets of a Terminate for each error. */
static void errors(void) {
  const iwarp_rdmap_term_row *row;
  for (size_t i = 0; (row = iwarp_rdmap_term_at(i)) != NULL; i++) {
    const uint64_t value = (uint64_t)row->layer << 12 | (uint64_t)row->etype << 8 | row->code;
    number(row->etype_name, row->name, value, 2);
  }
}

/* The values that have names, where they fill octets. */
static void fields(void) {
  for (int form = 1; iwarp_form_get((iwarp_form)form) != NULL; form++) {
    const iwarp_form_info *info = iwarp_form_get((iwarp_form)form);
    for (size_t i = 0; i < info->num_fields; i++) {
      const iwarp_field *f = &info->fields[i];
      for (size_t k = 0; f->num_bits % 8 == 0 && f->num_bits <= 64 && k < f->num_values; k++) {
        number(f->path, f->values[k].name, f->values[k].value, f->num_bits / 8u);
      }
    }
  }
}

/* Numbers in capture files, as machines of both byte orders write them. */
static void captures(void) {
  static const struct {
    const char *name;
    uint32_t number;
  } words[] = {{"pcap", 0xa1b2c3d4},
               {"nanoseconds", 0xa1b23c4d},
               {"modified", 0xa1b2cd34},
               {"section", 0x0a0d0d0a},
               {"byte order", 0x1a2b3c4d},
               {"interface", 1},
               {"packet", 2},
               {"simple packet", 3},
               {"enhanced packet", 6},
               {"if_tsresol", 0x00090001},
               {"if_tsoffset", 0x000e0008}};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    const uint32_t v = words[i].number;
    const uint32_t swapped = v >> 24 | (v >> 8 & 0xff00) | (v << 8 & 0xff0000) | v << 24;
    /* Options are two numbers of 16 bits each. */
    const bool option = v >> 16 == 9 || v >> 16 == 14;
    number("capture", words[i].name, v, 4);
    number("capture", words[i].name, option ? swapped >> 16 | swapped << 16 : swapped, 4);
  }
}

static void texts(const char *kind, const char *const *words) {
  for (size_t i = 0; words[i] != NULL; i++) {
    entry(kind, words[i], (const uint8_t *)words[i], strlen(words[i]));
  }
}

/* The words of a scenario, docs/scenarios.md: items and fields have the names of the tables. */
static void scenarios(void) {
  static const char *const words[] = {
      "i> ",      "r> ",       "sctp\n",   "open\n",    "begin\n",   "connection 2 ", "passive",
      "port=",    "only i>\n", "snaplen ", "ipv6\n",    "vlan\n",    "mpa-request ",  "mpa-reply ",
      "octets ",  "fin\n",     "rst\n",    "len=",      "data=",     "pd=",           "fill=",
      " rest",    "times=",    " again",   "crc=bad",   "crc=zero",  "pad=",          "cut=",
      "markers=", "marker=",   "lead=",    "segment=",  " bundled",  "mtu=",          "unacked=",
      " lost",    "snap=",     " twice",   "init ",     "init-ack ", "message ",      "sack",
      "stream=",  "ppid=",     "ordered",  "fragment=", "shutdown",  "abort",         NULL};
  texts("scenario", words);
  for (uint8_t opcode = 0; opcode < 16; opcode++) {
    if (iwarp_rdmap_op_get(opcode)->assigned) {
      const char *const name[] = {iwarp_rdmap_op_get(opcode)->name, NULL};
      texts("scenario", name);
    }
  }
  for (int form = 1; iwarp_form_get((iwarp_form)form) != NULL; form++) {
    const iwarp_form_info *info = iwarp_form_get((iwarp_form)form);
    for (size_t i = 0; i < info->num_fields; i++) {
      const char *const path[] = {info->fields[i].path, NULL};
      texts("scenario", path);
    }
  }
}

int main(void) {
  printf("# Made by mkdict of the tables of libiwarp.\n");
  scenarios();
  captures();
  startup();
  messages();
  errors();
  fields();
  return 0;
}
