#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""collected: what collects, alerts on and shows the metrics of `iwarp stats --metrics` takes them.

collected.py TOOL ROOT FOLDER

FOLDER has Debian's prometheus and prometheus-node-exporter, unpacked by .ci/metrics. Both listen on loopback, on ports that
the kernel picks.
"""

import json
import math
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest
import urllib.parse
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "golden"))
import live  # noqa: E402
import metrics_doc  # noqa: E402
from stats import metrics_of  # noqa: E402

TOOL, ROOT, FOLDER = (os.path.abspath(word) for word in sys.argv[1:4])
PCAPS = os.path.join(ROOT, "pcaps")
UNIT = os.path.join(ROOT, "conformance", "metrics", "iwarp-stats@.service.in")
ALERTS = os.path.join(ROOT, "conformance", "metrics", "iwarp-alerts.yml")
EXPOSURE = 20  # of 100, at most, as `systemd-analyze security` counts
BEGIN = 1700000000  # of the series in Prometheus, seconds
SKIPPED = 77


def program(name):
    return os.path.join(FOLDER, "usr", "bin", name)


def run(*words, **more):
    return subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **more)


def get(address, path, **query):
    with urllib.request.urlopen("http://%s%s?%s" % (address, path, urllib.parse.urlencode(query))) as answer:
        return answer.read().decode()


class Server:
    """A program that listens on loopback; it ends with the block."""

    def __init__(self, ready, *words):
        self.run = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.address, said = None, ""
        for line in self.run.stderr:
            said += line
            at = re.search(r'[lL]istening on" address=(\S+)', line)
            self.address = at.group(1) if at is not None else self.address
            if re.search(ready, line):
                return
        raise AssertionError("%s ended: %s" % (words[0], said))

    def __enter__(self):
        return self.address

    def __exit__(self, *_):
        self.run.terminate()
        self.run.communicate()


class Collected(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def metrics(self, name, capture, *words):
        done = run(TOOL, "stats", "--metrics", self.path(name), *words, os.path.join(PCAPS, capture))
        self.assertEqual(done.returncode, 0, done.stdout)
        with open(self.path(name), encoding="utf-8") as stream:
            return stream.read()

    # ---- the service ----

    def unit(self):
        with open(UNIT, encoding="utf-8") as stream:
            return stream.read().replace("@CMAKE_INSTALL_FULL_BINDIR@/iwarp", TOOL)

    def test_the_unit_is_right_and_confined(self):
        path = self.path("iwarp-stats@near.service")
        for name in path, self.path("iwarp-stats@.service"):
            with open(name, "w", encoding="utf-8") as stream:
                stream.write(self.unit())
        done = run("systemd-analyze", "verify", "--man=no", path)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        done = run("systemd-analyze", "security", "--offline=true", "--threshold=%d" % EXPOSURE, path)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:])

    def test_the_command_of_the_unit_needs_one_capability(self):
        """As the service: another user, CAP_NET_RAW alone, a folder of its own."""
        words = re.search(r"^ExecStart=(.*)$", self.unit(), re.MULTILINE).group(1)
        folder = self.path("near")
        os.mkdir(folder)
        os.chown(folder, 65534, 65534)
        os.chmod(self.folder, 0o755)
        words = words.replace("/run/iwarp-stats/%i", folder).replace("%i", "near").replace("$IWARP_STATS_OPTIONS", "-f tcp").split()
        raw = ["-all", "+net_raw"]
        limits = [part for kind in ("inh-caps", "ambient-caps", "bounding-set") for part in ("--" + kind, ",".join(raw))]
        packets = os.path.join(PCAPS, live.RIGHT)
        with open(os.path.join(folder, "iwarp.prom"), "wb"):
            os.chown(os.path.join(folder, "iwarp.prom"), 65534, 65534)
        command = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", *limits, "--no-new-privs", *words]
        status = subprocess.run(["unshare", "-n", sys.executable, "-B", __file__, "--inside", packets, *command], check=False).returncode
        self.assertEqual(status, 0)
        with open(os.path.join(folder, "iwarp.prom"), encoding="utf-8") as stream:
            found = metrics_of(stream.read())
        self.assertEqual(found["iwarp_connections_total", (("interface", "near"),)], 1)

    # ---- node_exporter ----

    def test_node_exporter_reads_the_files(self):
        os.mkdir(self.path("textfiles"))
        texts = [self.metrics("near.prom", live.RIGHT, "--metrics-label", "interface=near"),
                 self.metrics("far.prom", "synthetic/rules/rdmap.atomic-response-id-pass.pcap", "--metrics-label", "interface=far")]
        for name in "near", "far":  # as the service puts them there
            os.symlink(self.path(name + ".prom"), self.path("textfiles", "iwarp-%s.prom" % name))
        words = ["--web.listen-address=127.0.0.1:0", "--collector.disable-defaults", "--collector.textfile",
                 "--collector.textfile.directory=" + self.path("textfiles"), "--web.disable-exporter-metrics"]
        with Server("TLS is disabled", program("prometheus-node-exporter"), *words) as address:
            answer = get(address, "/metrics")
        found = metrics_of(answer)
        self.assertEqual(found["node_textfile_scrape_error", ()], 0)
        self.assertEqual({float(key[1][0][1] != "") for key in found if key[0] == "node_textfile_mtime_seconds"}, {1.0})
        iwarp = {self.plain(key): float(value) for key, value in found.items() if key[0].startswith("iwarp_")}
        wanted = {self.plain(key): float(value) for text in texts for key, value in metrics_of(text).items()}
        self.assertEqual(iwarp, wanted)
        self.assertGreater(len(wanted), 200)
        self.assertEqual(run(program("promtool"), "check", "metrics", input=answer).stdout, "")

    def plain(self, key):
        """The bounds of buckets are numbers: 1e-06 is 0.000001."""
        return key[0], tuple((name, float(value) if name == "le" else value) for name, value in key[1])

    # ---- alerts ----

    def test_the_alerts_are_right(self):
        done = run(program("promtool"), "check", "rules", ALERTS)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("5 rules found", done.stdout)

    def test_each_alert_fires_and_is_silent(self):
        at = ',instance="a",interface="near"}'
        bad = {"IwarpStatsStopped": ['node_textfile_mtime_seconds{instance="a",file="/x/iwarp-near.prom"} 0x60'],
               "IwarpWrongCrc": ['iwarp_bad_crc_fpdus_total{dir="initiator"%s 0x10 1+0x50' % at],
               "IwarpSlowReads": ['iwarp_response_time_seconds_bucket{operation="read-request",le="%s"%s 0+%dx60' % (le, at, step)
                                  for le, step in (("0.01", 90), ("0.1", 100), ("+Inf", 100))],
               "IwarpRetransmissions": ['iwarp_retransmitted_bytes_total{dir="initiator"%s 0+20x60' % at,
                                        'iwarp_stream_bytes_total{dir="initiator",part="payload"%s 0+1000x60' % at],
               "IwarpRequestsUnanswered": ['iwarp_requests_unanswered_total{dir="initiator",operation="read-request"%s 0x10 3+0x50' % at]}
        good = {"IwarpStatsStopped": ['node_textfile_mtime_seconds{instance="a",file="/x/iwarp-near.prom"} 0+60x60'],
                "IwarpWrongCrc": ['iwarp_bad_crc_fpdus_total{dir="initiator"%s 5+0x60' % at],
                "IwarpSlowReads": [line.replace("0+90x", "0+100x") for line in bad["IwarpSlowReads"]],
                "IwarpRetransmissions": [line.replace("0+20x", "0+9x") for line in bad["IwarpRetransmissions"]],
                "IwarpRequestsUnanswered": ['iwarp_requests_unanswered_total{dir="initiator",operation="read-request"%s 3+0x60' % at]}
        with open(ALERTS, encoding="utf-8") as stream:
            self.assertEqual(sorted(bad), sorted(re.findall(r"- alert: (\w+)", stream.read())))
        for series, fires in (bad, True), (good, False):
            for name, lines in series.items():
                done = self.alert(name, lines)
                self.assertEqual('alertname="%s"' % name in done.stdout, fires, "%s: %s" % (name, done.stdout))
                self.assertEqual(done.returncode != 0, fires, "%s: %s" % (name, done.stdout))

    def alert(self, name, lines):
        """promtool expects no alert, and prints those that there are."""
        at = "12m" if name in ("IwarpWrongCrc", "IwarpRequestsUnanswered") else "30m"
        test = {"rule_files": [ALERTS], "evaluation_interval": "1m", "tests": [
            {"interval": "1m", "input_series": [dict(zip(("series", "values"), line.split(" ", 1))) for line in lines],
             "alert_rule_test": [{"eval_time": at, "alertname": name, "exp_alerts": []}]}]}
        with open(self.path("test.yml"), "w", encoding="utf-8") as stream:
            json.dump(test, stream)  # which is YAML, too
        return run(program("promtool"), "test", "rules", self.path("test.yml"))

    # ---- Prometheus ----

    def series(self, text):
        """The text with six samples of each series, a minute apart, that grow by its figure."""
        out = []
        for line in text.split("\n")[:-2]:
            if line.startswith("#"):
                out.append(line)
            else:
                name, value = line.rsplit(" ", 1)
                name = name.replace("{", '{instance="a",', 1)
                out += ["%s %s %d" % (name, k * float(value), BEGIN + 60 * k) for k in range(6)]
        out += ["# TYPE node_textfile_mtime_seconds gauge"]
        out += ['node_textfile_mtime_seconds{instance="a",file="/x/iwarp-near.prom"} %d %d' % (BEGIN, BEGIN + 300)]
        out += ["# TYPE node_textfile_scrape_error gauge", 'node_textfile_scrape_error{instance="a"} 0 %d' % (BEGIN + 300)]
        return "\n".join(out) + "\n# EOF\n"

    def test_prometheus_answers_each_query(self):
        """Its own reader of OpenMetrics takes the text; each query of the page and the dashboard has an answer."""
        text = self.metrics("near.prom", os.path.join("real", "siw", "crc-loss.pcap"), "--metrics-label", "interface=near")
        with open(self.path("series"), "w", encoding="utf-8") as stream:
            stream.write(self.series(text))
        done = run(program("promtool"), "tsdb", "create-blocks-from", "openmetrics", self.path("series"), self.path("data"))
        self.assertEqual(done.returncode, 0, done.stdout)
        with open(self.path("prometheus.yml"), "w", encoding="utf-8") as stream:
            stream.write("global: {}\n")
        words = ["--config.file=" + self.path("prometheus.yml"), "--storage.tsdb.path=" + self.path("data"), "--web.listen-address=127.0.0.1:0"]
        count = 0
        with Server("Server is ready", program("prometheus"), *words) as address:
            for where, query in metrics_doc.queries(ROOT):
                if where == "iwarp-alerts.yml":
                    continue
                answer = json.loads(get(address, "/api/v1/query", query=query, time=BEGIN + 300))
                self.assertEqual(answer["status"], "success", query)
                values = [float(one["value"][1]) for one in answer["data"]["result"]]
                self.assertTrue(values, "%s: no answer to %s" % (where, query))
                self.assertTrue(all(value >= 0 or math.isnan(value) for value in values), "%s: %s" % (query, values))
                count += 1
        self.assertGreater(count, 25)


def inside(packets, *command):
    """In a network namespace: runs the command while packets come, and ends it as systemd does."""
    live.ip("link", "add", "near", "type", "veth", "peer", "name", "far")
    for name in "near", "far":
        live.ip("link", "set", name, "mtu", "65535", "up")
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    wire.bind(("far", 0))
    tool = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    said = tool.stderr.readline()
    if "capturing on near" in said:
        for packet in live.frames(packets):
            wire.send(packet)
        tool.send_signal(signal.SIGTERM)
    said += tool.communicate()[1]
    sys.stdout.write(said if tool.returncode != 0 else "")
    return tool.returncode


if __name__ == "__main__":
    if sys.argv[1] == "--inside":
        sys.exit(inside(*sys.argv[2:]))
    for needed in program("promtool"), program("prometheus-node-exporter"), "systemd-analyze", "setpriv":
        if shutil.which(needed) is None:
            print("skipped: there is no %s; .ci/metrics unpacks or installs it" % needed)
            sys.exit(SKIPPED)
    unittest.main(argv=sys.argv[:1])
