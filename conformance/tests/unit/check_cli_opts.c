/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line: every option, its errors, near misses, patterns. */
#include <string.h>

#include "check_run.h"
#include "cli/diag.h"
#include "cli/opts.h"
#include "cli/opts_table.h"
#include "cli/rule_set.h"

#define WORDS_MAX 24

static opts parsed;
static bool named;
static char error[OPTS_ERROR_CAP];

/* Parses "iwarp" and the words of a line, separated by single blanks. */
static opts_result parse(const char *line) {
  static char words[512];
  static char *argv[WORDS_MAX + 1];
  int argc = 0;
  ck_assert_uint_lt(strlen(line) + 7, sizeof words);
  strcpy(words, "iwarp ");
  strcat(words, line);
  for (char *at = words; at != NULL && argc < WORDS_MAX;) {
    argv[argc++] = at;
    at = strchr(at, ' ');
    if (at != NULL) {
      *at++ = 0;
    }
  }
  argv[argc] = NULL;
  opts_free(&parsed);
  memset(error, 0, sizeof error);
  return opts_parse(&parsed, &named, argc, argv, error);
}

static void parse_wrong(const char *line, const char *message) {
  ck_assert_int_eq(parse(line), OPTS_WRONG);
  ck_assert_str_eq(error, message);
}

START_TEST(nothing_given_is_the_default)
{
  ck_assert_int_eq(parse("check a"), OPTS_RUN);
  ck_assert_int_eq(parsed.command, COMMAND_CHECK);
  ck_assert_uint_eq(parsed.num_operands, 1);
  ck_assert_str_eq(parsed.operands[0], "a");
  ck_assert_ptr_null(parsed.filter);
  ck_assert(!parsed.any_port);
  ck_assert_ptr_eq(parsed.report, &report_format_text);
  ck_assert_uint_eq(parsed.num_reports, 0);
  ck_assert(parsed.max_packets == UINT64_MAX);
  ck_assert(parsed.max_findings == UINT64_MAX);
  ck_assert_int_eq(parsed.level, IWARP_SEVERITY_NOTE);
  ck_assert_int_eq(parsed.fail_on, OPTS_FAIL_MUST);
  ck_assert_int_eq(parsed.markers, IWARP_TRISTATE_UNKNOWN);
  ck_assert_int_eq(parsed.crc, IWARP_TRISTATE_UNKNOWN);
  ck_assert_int_eq(parsed.color, OPTS_AUTO);
  ck_assert_int_eq(parsed.progress, OPTS_AUTO);
  ck_assert(!parsed.quiet && !parsed.verbose && !parsed.require_decided);
}
END_TEST

START_TEST(every_option_reaches_its_field)
{
  ck_assert_int_eq(parse("check -f tcp -c 7 -T jsonl -n -v --only a --only b --exclude c x"),
                   OPTS_RUN);
  ck_assert_str_eq(parsed.filter, "tcp");
  ck_assert(parsed.max_packets == 7);
  ck_assert_ptr_eq(parsed.report, &report_format_jsonl);
  ck_assert(parsed.verbose);
  ck_assert_uint_eq(parsed.num_only, 2);
  ck_assert_str_eq(parsed.only[1], "b");
  ck_assert_uint_eq(parsed.num_exclude, 1);
  ck_assert_str_eq(parsed.exclude[0], "c");
  ck_assert_int_eq(parse("check --level should --fail-on never --max-findings 0 --markers=on "
                         "--crc off --color=always --progress never --require-decided x"),
                   OPTS_RUN);
  ck_assert_int_eq(parsed.level, IWARP_SEVERITY_WARNING);
  ck_assert_int_eq(parsed.fail_on, OPTS_FAIL_NEVER);
  ck_assert(parsed.max_findings == 0);
  ck_assert_int_eq(parsed.markers, IWARP_TRISTATE_ON);
  ck_assert_int_eq(parsed.crc, IWARP_TRISTATE_OFF);
  ck_assert_int_eq(parsed.color, OPTS_ALWAYS);
  ck_assert_int_eq(parsed.progress, OPTS_NEVER);
  ck_assert(parsed.require_decided);
  ck_assert_uint_eq(parsed.memory, 256u << 20);
  ck_assert_int_eq(parse("check --memory 4M x"), OPTS_RUN);
  ck_assert_uint_eq(parsed.memory, 4u << 20);
  ck_assert_int_eq(parse("check --memory 8192k x"), OPTS_RUN);
  ck_assert_uint_eq(parsed.memory, 8u << 20);
  ck_assert_int_eq(parse("dump --memory=1G x"), OPTS_RUN);
  ck_assert_uint_eq(parsed.memory, 1u << 30);
  ck_assert_int_eq(parse("check --memory 4194304 x"), OPTS_RUN);
  ck_assert_uint_eq(parsed.memory, 4u << 20);
  ck_assert_uint_eq(parsed.max_unpacked.octets, PCAP_SRC_MAX_OCTETS);
  ck_assert_uint_eq(parsed.max_unpacked.times, PCAP_SRC_MAX_TIMES);
  ck_assert_int_eq(parse("check --max-unpacked 4G x"), OPTS_RUN);
  ck_assert_uint_eq(parsed.max_unpacked.octets, UINT64_C(4) << 30);
  ck_assert_uint_eq(parsed.max_unpacked.times, 0);
  ck_assert_int_eq(parse("dump --max-unpacked 50x x"), OPTS_RUN);
  ck_assert_uint_eq(parsed.max_unpacked.octets, PCAP_SRC_MAX_OCTETS);
  ck_assert_uint_eq(parsed.max_unpacked.times, 50);
  ck_assert_int_eq(parse("dump --max-unpacked 18446744073709551615x x"), OPTS_RUN);
  ck_assert_uint_eq(parsed.max_unpacked.times, UINT64_MAX);
  ck_assert_int_eq(parse("dump -Vx x"), OPTS_RUN);
  ck_assert(parsed.fields && parsed.octets);
  ck_assert_int_eq(parsed.layer, REPORT_LAYER_MPA);
  ck_assert(!parsed.offset_given);
  ck_assert_int_eq(parse("decode --layer rdmap --offset 0 -"), OPTS_RUN);
  ck_assert_int_eq(parsed.layer, REPORT_LAYER_RDMAP);
  ck_assert(parsed.offset_given && parsed.offset == 0);
}
END_TEST

START_TEST(reports_are_formats_with_files)
{
  ck_assert_int_eq(parse("check --report junit=a=b --report=tap=c -T sarif x"), OPTS_RUN);
  ck_assert_ptr_eq(parsed.report, &report_format_sarif);
  ck_assert_uint_eq(parsed.num_reports, 2);
  ck_assert_ptr_eq(parsed.reports[0].format, &report_format_junit);
  ck_assert_str_eq(parsed.reports[0].path, "a=b");
  ck_assert_ptr_eq(parsed.reports[1].format, &report_format_tap);
  ck_assert_str_eq(parsed.reports[1].path, "c");
  ck_assert_int_eq(parse("timeline x"), OPTS_RUN);
  ck_assert_ptr_eq(parsed.report, &report_format_timeline);
  parse_wrong("check --report junit x", "--report: 'junit' is not of the form FORMAT=FILE");
  parse_wrong("check --report junit= x", "--report: the name of a file is missing");
  parse_wrong("check --report junit=- x", "--report: '-' is no file (-T is for standard output)");
  parse_wrong("check --report tap=a --report junit=a x", "--report: 'a' is written to twice");
  parse_wrong("check --report tap=a --annotate a x", "--annotate: 'a' is written to twice");
  parse_wrong("check --annotate a --report tap=a x", "--report: 'a' is written to twice");
  parse_wrong("check --annotate - x", "--annotate: '-' is no file (-T is for standard output)");
  ck_assert_int_eq(parse("check --annotate a x"), OPTS_RUN);
  ck_assert_str_eq(parsed.annotate, "a");
  parse_wrong("dump --report tap=a x", "dump takes no option '--report'; check does");
}
END_TEST

START_TEST(gen_takes_a_scenario_and_a_file)
{
  ck_assert_int_eq(parse("gen -o b --variant seg1 a"), OPTS_RUN);
  ck_assert_int_eq(parsed.command, COMMAND_GEN);
  ck_assert_str_eq(parsed.output, "b");
  ck_assert_str_eq(parsed.variant, "seg1");
  parse_wrong(
      "gen --variant all a",
      "--variant: 'all' is not one of: seg1, ooo, dup, gap, mid, oneway, snap, seqwrap, ipv6, "
      "vlan, tso, swap, ipfrag");
  parse_wrong("gen -o b", "gen: a scenario is missing ('-' is standard input)");
  parse_wrong("check -o b a", "check takes no option '-o'; gen does");
}
END_TEST

START_TEST(an_interface_takes_the_place_of_captures)
{
  ck_assert_int_eq(parse("check -i eth0 --jobs 4 -w kept.pcap --duration 2.05"), OPTS_RUN);
  ck_assert_str_eq(parsed.interface, "eth0");
  ck_assert_uint_eq(parsed.num_operands, 1);
  ck_assert_str_eq(parsed.operands[0], "eth0");
  ck_assert_str_eq(parsed.write, "kept.pcap");
  ck_assert_uint_eq(parsed.jobs, 1);
  ck_assert_uint_eq(parsed.duration_ns, 2050000000);
  ck_assert_int_eq(parse("dump -i eth0 --duration 1000000000.123456789"), OPTS_RUN);
  ck_assert_uint_eq(parsed.duration_ns, UINT64_C(1000000000123456789));
  ck_assert_int_eq(parse("timeline a"), OPTS_RUN);
  ck_assert_ptr_null(parsed.interface);
  ck_assert_uint_eq(parsed.duration_ns, PCAP_SRC_FOREVER);
  parse_wrong("check -w b a", "check: -w goes with -i alone");
  parse_wrong("dump --duration 1 a", "dump: --duration goes with -i alone");
  parse_wrong("timeline -i eth0 a", "timeline: a capture does not go with -i");
  parse_wrong("check -i eth0 --join", "check: --join does not go with -i");
  parse_wrong("check -i eth0 --shard 0/2", "check: --shard does not go with -i");
  parse_wrong("check --captures 0-1 a b", "--captures needs --shard");
  parse_wrong("check --join --shard 0/2 --captures 0-1 a b", "--captures does not go with --join");
  parse_wrong("check --shard 0/2 --captures 1-0 a b",
              "--captures: '1-0' is not of the form A-B, with numbers from 0 to 1048575, the lower "
              "one first");
  parse_wrong(
      "check --shard 0/2 --captures 1 a b",
      "--captures: '1' is not of the form A-B, with numbers from 0 to 1048575, the lower one "
      "first");
  parse_wrong("check --shard 0/2 --captures 0-1048576 a b",
              "--captures: '0-1048576' is not of the form A-B, with numbers from 0 to 1048575, the "
              "lower one first");
  ck_assert_int_eq(parse("check --shard 1/2 --captures 3-1048575 a b"), OPTS_RUN);
  ck_assert_uint_eq(parsed.captures_begin, 3);
  ck_assert_uint_eq(parsed.captures_end, 1048576);
  parse_wrong("check -i eth0 --annotate b", "check: --annotate does not go with -i");
  parse_wrong("check -i eth0 -w -", "-w: standard output is for the report: name a file");
  parse_wrong("check -i eth0 --duration 0", "--duration: '0' is no number of seconds");
  parse_wrong("check -i eth0 --duration 1.", "--duration: '1.' is no number of seconds");
  parse_wrong("check -i eth0 --duration .5", "--duration: '.5' is no number of seconds");
  parse_wrong("check -i eth0 --duration 1.1234567890",
              "--duration: '1.1234567890' is no number of seconds");
  parse_wrong("check -i eth0 --duration 1000000001",
              "--duration: '1000000001' is no number of seconds");
  parse_wrong("baseline -i eth0", "baseline takes no option '-i'; check does");
}
END_TEST

START_TEST(scrub_takes_a_key_and_what_to_keep)
{
  ck_assert_int_eq(parse("scrub -d tcp.port==7174 --key secret --keep-private-data a -o b"),
                   OPTS_RUN);
  ck_assert_int_eq(parsed.command, COMMAND_SCRUB);
  ck_assert_str_eq(parsed.key, "secret");
  ck_assert(parsed.keep_private_data);
  parse_wrong("scrub a b -o c", "scrub: one operand too many: 'b'");
  parse_wrong("scrub -o c", "scrub: a capture is missing");
}
END_TEST

/* Help and messages name the formats that there are. */
START_TEST(each_format_has_its_name_in_the_help)
{
  static const char too_long[] = "check --report jjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjjj=a x";
  const char *help = "";
  for (size_t i = 0; i < OPT_TOTAL; i++) {
    help = opt_rows[i].id == OPT_CHECK_FORMAT ? opt_rows[i].help : help;
  }
  ck_assert_int_eq(parse(too_long), OPTS_WRONG);
  for (size_t i = 0; report_formats[i] != NULL; i++) {
    ck_assert_msg(strstr(help, report_formats[i]->name) != NULL, "%s", report_formats[i]->name);
    ck_assert_msg(strstr(error, report_formats[i]->name) != NULL, "%s", report_formats[i]->name);
    ck_assert_ptr_eq(report_format_find(report_formats[i]->name), report_formats[i]);
  }
  ck_assert_ptr_null(report_format_find("pdf"));
}
END_TEST

START_TEST(levels_are_ordered_by_severity)
{
  ck_assert_int_eq(parse("check --level note x"), OPTS_RUN);
  ck_assert_int_eq(parsed.level, IWARP_SEVERITY_NOTE);
  ck_assert_int_eq(parse("check --level must x"), OPTS_RUN);
  ck_assert_int_eq(parsed.level, IWARP_SEVERITY_VIOLATION);
  ck_assert_int_eq(parse("check --fail-on should x"), OPTS_RUN);
  ck_assert_int_eq(parsed.fail_on, OPTS_FAIL_SHOULD);
}
END_TEST

START_TEST(ports_are_collected)
{
  ck_assert_int_eq(parse("dump -d tcp.port==1 -dtcp.port==65535,iwarp x"), OPTS_RUN);
  ck_assert(parsed.any_port);
  ck_assert(observe_ports_has(parsed.ports, 1));
  ck_assert(observe_ports_has(parsed.ports, 65535));
  ck_assert(!observe_ports_has(parsed.ports, 2));
  ck_assert(!observe_ports_has(parsed.ports, 0));
  ck_assert_int_eq(parse("dump -d tcp.port==7,iwarp -d udp.port==8472,vxlan -d udp.port==9,tzsp x"),
                   OPTS_RUN);
  ck_assert(observe_ports_has(parsed.ports, 7) && !observe_ports_has(parsed.ports, 9));
  ck_assert_uint_eq(parsed.num_tunnels, 2);
  ck_assert(parsed.tunnels[0].port == 8472 && parsed.tunnels[0].layer == INGEST_LAYER_VXLAN);
  ck_assert(parsed.tunnels[1].port == 9 && parsed.tunnels[1].layer == INGEST_LAYER_TZSP);
}
END_TEST

START_TEST(of_quiet_and_verbose_the_later_counts)
{
  ck_assert_int_eq(parse("check -q -v x"), OPTS_RUN);
  ck_assert(parsed.verbose && !parsed.quiet);
  ck_assert_int_eq(parse("check -vq x"), OPTS_RUN);
  ck_assert(parsed.quiet && !parsed.verbose);
}
END_TEST

START_TEST(options_stand_anywhere_until_two_dashes)
{
  ck_assert_int_eq(parse("check a -q b -- -v --help"), OPTS_RUN);
  ck_assert(parsed.quiet && !parsed.verbose);
  ck_assert_uint_eq(parsed.num_operands, 4);
  ck_assert_str_eq(parsed.operands[0], "a");
  ck_assert_str_eq(parsed.operands[1], "b");
  ck_assert_str_eq(parsed.operands[2], "-v");
  ck_assert_str_eq(parsed.operands[3], "--help");
  ck_assert_int_eq(parse("check -"), OPTS_RUN);
  ck_assert_str_eq(parsed.operands[0], "-");
}
END_TEST

START_TEST(help_and_version_are_known_everywhere)
{
  ck_assert_int_eq(parse("--help"), OPTS_HELP);
  ck_assert(!named);
  ck_assert_int_eq(parse("-h"), OPTS_HELP);
  ck_assert_int_eq(parse("--version"), OPTS_VERSION);
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    char line[64];
    snprintf(line, sizeof line, "%s --help", command_rows[i].name);
    ck_assert_int_eq(parse(line), OPTS_HELP);
    ck_assert(named);
    ck_assert_uint_eq(parsed.command, i);
    snprintf(line, sizeof line, "%s -h", command_rows[i].name);
    ck_assert_int_eq(parse(line), OPTS_HELP);
    snprintf(line, sizeof line, "%s --version", command_rows[i].name);
    ck_assert_int_eq(parse(line), OPTS_VERSION);
  }
}
END_TEST

START_TEST(mistakes_get_one_clear_line)
{
  char *argv[] = {(char[]){"iwarp"}, NULL};
  opts_free(&parsed);
  ck_assert_int_eq(opts_parse(&parsed, &named, 1, argv, error), OPTS_NOTHING);
  ck_assert(!named);
  parse_wrong("trace.pcap", "a command is missing: 'iwarp check trace.pcap' checks a capture, "
                            "'iwarp dump trace.pcap' prints it");
  parse_wrong("-", "a command is missing: 'iwarp check -' checks a capture, 'iwarp dump -' prints "
                   "it");
  parse_wrong("-r a/b", "a command is missing: 'iwarp check a/b' checks a capture, 'iwarp dump "
                        "a/b' prints it");
  parse_wrong("-r", "a command is missing: 'iwarp check CAPTURE' checks a capture, 'iwarp dump "
                    "CAPTURE' prints it");
  parse_wrong("dump -r x", "a capture needs no -r: 'iwarp dump CAPTURE'");
  parse_wrong("-V x", "a command is missing before '-V': 'iwarp check -V ...'");
  parse_wrong("--layer x", "a command is missing before '--layer': 'iwarp decode --layer ...'");
  parse_wrong("check -d tcp.port==123456789012 x",
              "-d: 'tcp.port==123456789012' is out of range: a port is 1 to 65535");
  parse_wrong("check -d tcp.port==7x x", "-d: 'tcp.port==7x' is not of the form tcp.port==N or "
                                         "udp.port==N,vxlan (or geneve, tzsp)");
  parse_wrong("chekc x", "unknown command 'chekc' (did you mean 'check'?)");
  parse_wrong("frobnicate", "unknown command 'frobnicate'");
  parse_wrong("--hlep", "unknown option '--hlep' (did you mean '--help'?)");
  parse_wrong("check --ony x", "unknown option '--ony' (did you mean '--only'?)");
  parse_wrong("check --ony=x", "unknown option '--ony' (did you mean '--only'?)");
  parse_wrong("check --require x",
              "unknown option '--require' (did you mean '--require-decided'?)");
  parse_wrong("check --quiet x", "unknown option '--quiet'");
  parse_wrong("check -Z x", "unknown option '-Z'");
  parse_wrong("check -qZ x", "unknown option '-Z'");
  parse_wrong("rules -V", "rules takes no option '-V'; check does");
  parse_wrong("decode -v 00", "decode takes no option '-v'; check does");
  parse_wrong("dump --only x", "dump takes no option '--only'; check does");
  parse_wrong("check --layer=ddp x", "check takes no option '--layer'; decode does");
  parse_wrong("check x -f", "option '-f' needs an argument");
  parse_wrong("check x --only", "option '--only' needs an argument");
  parse_wrong("check --require-decided=1 x", "option '--require-decided=1' takes no argument");
  parse_wrong("check", "check: a capture is missing ('-' is standard input, -i an interface)");
  parse_wrong("decode", "decode: octets in hex are missing ('-' is standard input)");
  parse_wrong("decode --layer sctp 00",
              "--layer: 'sctp' is not one of: mpa, ddp, rdmap, sctp-segment, sctp-control, "
              "sctp-adaptation, enhanced, marker, erdma, smbd, smbd-le, rpc-rdma");
  parse_wrong("decode --offset -1 00", "--offset: '-1' is no whole number from 0 on");
  parse_wrong("explain",
              "explain: a rule or requirement is missing ('iwarp rules' lists the rules)");
  parse_wrong("explain a b", "explain: one operand too many: 'b'");
  parse_wrong("rules a b", "rules: one operand too many: 'b'");
  parse_wrong("dump -T junit x", "-T: 'junit' is not one of: text, jsonl");
  parse_wrong("timeline -T text x", "timeline takes no option '-T'; dump does");
  parse_wrong("timeline a b", "timeline: one operand too many: 'b'");
  parse_wrong("check --level may x", "--level: 'may' is not one of: note, should, must");
  parse_wrong("check --fail-on all x",
              "--fail-on: 'all' is not one of: must, should, note, never, violation, warning");
  parse_wrong("check --fail-on-outcome closed,nothing x",
              "--fail-on-outcome: 'nothing' is not one of: unknown, rejected, terminated, "
              "startup-failed, no-reply, reset, closed, half-closed, open, work-unanswered, "
              "syn-refused, syn-unanswered, failed");
  parse_wrong("check --markers yes x", "--markers: 'yes' is not one of: off, on");
  parse_wrong("check --color no x", "--color: 'no' is not one of: auto, always, never");
}
END_TEST

START_TEST(numbers_are_read_strictly)
{
  parse_wrong("check -c 0 x", "-c: '0' is no number of packets");
  parse_wrong("check -c -1 x", "-c: '-1' is no number of packets");
  parse_wrong("check -c 1x x", "-c: '1x' is no number of packets");
  parse_wrong("check -c= x", "-c: '=' is no number of packets");
  static const char *const none[] = {"0", "0x", "x", "4X", "4xx", "4T", "17179869184G", "-1x"};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    char line[64];
    char said[128];
    snprintf(line, sizeof line, "check --max-unpacked %s x", none[i]);
    snprintf(said, sizeof said,
             "--max-unpacked: '%s' is no size, such as 4G, and no ratio, such as 1024x", none[i]);
    parse_wrong(line, said);
  }
  parse_wrong("check --memory 4194303 x", "--memory: '4194303' is too little (at least 4M)");
  parse_wrong("check --memory 0 x", "--memory: '0' is too little (at least 4M)");
  parse_wrong("check --memory 3M x", "--memory: '3M' is too little (at least 4M)");
  parse_wrong("check --memory= x", "--memory: '' is no size, such as 64M or 2G");
  parse_wrong("check --memory M x", "--memory: 'M' is no size, such as 64M or 2G");
  parse_wrong("check --memory -1 x", "--memory: '-1' is no size, such as 64M or 2G");
  parse_wrong("check --memory 64MB x", "--memory: '64MB' is no size, such as 64M or 2G");
  parse_wrong("check --memory 64m x", "--memory: '64m' is no size, such as 64M or 2G");
  parse_wrong("check --memory 18446744073709551616 x",
              "--memory: '18446744073709551616' is no size, such as 64M or 2G");
  parse_wrong("check --memory 17179869184G x",
              "--memory: '17179869184G' is no size, such as 64M or 2G");
  parse_wrong("check --max-findings= x", "--max-findings: '' is no whole number from 0 on");
  parse_wrong("check -c 18446744073709551616 x",
              "-c: '18446744073709551616' is no number of packets");
  ck_assert_int_eq(parse("check -c 18446744073709551614 x"), OPTS_RUN);
  ck_assert(parsed.max_packets == UINT64_MAX - 1);
  parse_wrong(
      "dump -d udp.port==1 x",
      "-d: 'udp.port==1' is not of the form tcp.port==N or udp.port==N,vxlan (or geneve, tzsp)");
  parse_wrong("dump -d udp.port==1,gre x", "-d: 'udp.port==1,gre' is not of the form tcp.port==N "
                                           "or udp.port==N,vxlan (or geneve, tzsp)");
  parse_wrong("dump -d udp.port==0,vxlan x",
              "-d: 'udp.port==0,vxlan' is out of range: a port is 1 to 65535");
  parse_wrong("dump -d tcp.port==1,vxlan x", "-d: 'tcp.port==1,vxlan' is not of the form "
                                             "tcp.port==N or udp.port==N,vxlan (or geneve, tzsp)");
  parse_wrong(
      "dump -d tcp.port==1, x",
      "-d: 'tcp.port==1,' is not of the form tcp.port==N or udp.port==N,vxlan (or geneve, tzsp)");
  parse_wrong(
      "dump -d tcp.port=80 x",
      "-d: 'tcp.port=80' is not of the form tcp.port==N or udp.port==N,vxlan (or geneve, tzsp)");
  parse_wrong(
      "dump -d tcp.port== x",
      "-d: 'tcp.port==' is not of the form tcp.port==N or udp.port==N,vxlan (or geneve, tzsp)");
  parse_wrong("dump -d tcp.port==0 x", "-d: 'tcp.port==0' is out of range: a port is 1 to 65535");
  parse_wrong("dump -d tcp.port==65536 x",
              "-d: 'tcp.port==65536' is out of range: a port is 1 to 65535");
}
END_TEST

START_TEST(a_label_is_one_that_the_metrics_lack)
{
  static const char *const wrong[] = {"=",      "a",      "a=",   "1a=x",   "-a=x",
                                      "__a=x",  "dir=x",  "le=x", "part=x", "operation=x",
                                      "a=\x07", "a=\xff", "a-b=x"};
  static const char *const right[] = {"interface=eth0", "_1=x=y", "d=x", "dirs=x",
                                      "a=\xc3\xa9\\\""};
  char line[64];
  char said[128];
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    snprintf(line, sizeof line, "stats --metrics-label %s x", wrong[i]);
    snprintf(said, sizeof said,
             "--metrics-label: '%s' is no label NAME=VALUE, or the metrics have that name",
             wrong[i]);
    parse_wrong(line, said);
  }
  for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
    snprintf(line, sizeof line, "stats --metrics-label %s x", right[i]);
    ck_assert_int_eq(parse(line), OPTS_RUN);
    ck_assert_str_eq(parsed.metrics_label, right[i]);
  }
}
END_TEST

START_TEST(a_long_mistake_is_cut)
{
  char line[200] = "check --";
  memset(line + 8, 'x', 150);
  ck_assert_int_eq(parse(line), OPTS_WRONG);
  ck_assert_uint_lt(strlen(error), 120);
}
END_TEST

START_TEST(the_table_is_in_order_and_complete)
{
  for (size_t i = 0; i < OPT_TOTAL; i++) {
    const opt_row *row = &opt_rows[i];
    ck_assert_uint_eq(row->id, i);
    ck_assert(row->letter != 0 || row->name != NULL);
    ck_assert_uint_ne(row->commands, 0);
    ck_assert_ptr_nonnull(row->help);
  }
}
END_TEST

START_TEST(distances_count_edits_and_swaps)
{
  ck_assert_uint_eq(edit_distance("", ""), 0);
  ck_assert_uint_eq(edit_distance("abc", "abc"), 0);
  ck_assert_uint_eq(edit_distance("", "abc"), 3);
  ck_assert_uint_eq(edit_distance("abc", ""), 3);
  ck_assert_uint_eq(edit_distance("abc", "abd"), 1);
  ck_assert_uint_eq(edit_distance("abc", "ab"), 1);
  ck_assert_uint_eq(edit_distance("abc", "acb"), 1);
  ck_assert_uint_eq(edit_distance("kitten", "sitting"), 3);
  ck_assert_uint_eq(edit_distance("--ony", "--only"), 1);
}
END_TEST

START_TEST(near_is_what_a_person_may_have_meant)
{
  static const char *const names[] = {"check", "dump", "mpa.pad-zero", "mpa.pd-length-max", NULL};
  ck_assert_str_eq(nearest("chek", names), "check");
  ck_assert_str_eq(nearest("dupm", names), "dump");
  ck_assert_str_eq(nearest("mpa.pad", names), "mpa.pad-zero");
  ck_assert_str_eq(nearest("mpa.pad-zeros", names), "mpa.pad-zero");
  ck_assert_ptr_null(nearest("quux", names));
  ck_assert_ptr_null(nearest("", names));
}
END_TEST

START_TEST(patterns_are_those_of_the_shell)
{
  ck_assert(rule_matches("*", "mpa.pad-zero"));
  ck_assert(rule_matches("mpa.*", "mpa.pad-zero"));
  ck_assert(rule_matches("*.pad-zer?", "mpa.pad-zero"));
  ck_assert(rule_matches("[md]pa.pad-zero", "mpa.pad-zero"));
  ck_assert(!rule_matches("mpa", "mpa.pad-zero"));
  ck_assert(!rule_matches("ddp.*", "mpa.pad-zero"));
}
END_TEST

static size_t count(const bool *flags) {
  size_t n = 0;
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    n += flags[id] ? 1 : 0;
  }
  return n;
}

START_TEST(only_and_exclude_disable_the_rest)
{
  ck_assert_int_eq(parse("check x"), OPTS_RUN);
  bool *flags = rule_set_make(&parsed);
  ck_assert_uint_eq(count(flags), 0);
  free(flags);
  ck_assert_int_eq(parse("check --exclude * x"), OPTS_RUN);
  flags = rule_set_make(&parsed);
  ck_assert_uint_eq(count(flags), iwarp_rule_count());
  free(flags);
  ck_assert_int_eq(parse("check --only mpa.* --exclude mpa.pad-zero x"), OPTS_RUN);
  flags = rule_set_make(&parsed);
  for (uint16_t id = 0; id < iwarp_rule_count(); id++) {
    const char *slug = iwarp_rule_get(id)->slug;
    ck_assert_msg(flags[id] == (strncmp(slug, "mpa.", 4) != 0 || strcmp(slug, "mpa.pad-zero") == 0),
                  "%s", slug);
  }
  free(flags);
}
END_TEST

int main(void) {
  const TTest *const tests[] = {nothing_given_is_the_default,
                                every_option_reaches_its_field,
                                reports_are_formats_with_files,
                                gen_takes_a_scenario_and_a_file,
                                each_format_has_its_name_in_the_help,
                                levels_are_ordered_by_severity,
                                ports_are_collected,
                                of_quiet_and_verbose_the_later_counts,
                                options_stand_anywhere_until_two_dashes,
                                help_and_version_are_known_everywhere,
                                an_interface_takes_the_place_of_captures,
                                scrub_takes_a_key_and_what_to_keep,
                                mistakes_get_one_clear_line,
                                numbers_are_read_strictly,
                                a_label_is_one_that_the_metrics_lack,
                                a_long_mistake_is_cut,
                                the_table_is_in_order_and_complete,
                                distances_count_edits_and_swaps,
                                near_is_what_a_person_may_have_meant,
                                patterns_are_those_of_the_shell,
                                only_and_exclude_disable_the_rest,
                                NULL};
  return check_run(check_suite("opts", tests));
}
