# SPDX-License-Identifier: Apache-2.0
"""tools/lab peers: compares verbs4j with other libraries in one guest."""
from pathlib import Path

from .. import boots, guest, java, kernelnames, packages, peers, places
from ..options import GUEST_HELP, Options, number
from ..say import UsageError, plain

HELP = f'''Usage: tools/lab peers KIND [OPTION]…

Compares verbs4j with other libraries in one guest per boot. In each round, all programs run in turn, each in new processes.
The programs in Java measure after a warm-up; valkey-benchmark and --endurance have no warm-up. The kinds:

  disni    a ping-pong and a stream of 8 bytes and of 64 KiB: the same program for DiSNI on libdisni and on verbs4j-disni, JUCX
           (UCX), and 'verbs perf'
  valkey   GETs of 64 bytes from a Valkey server: valkey-java over TCP and over RDMA, verbs4j's connection without
           valkey-java, and C's valkey-benchmark over RDMA and TCP
  calls    calls with 64 bytes: gRPC over TCP, DaRPC on verbs4j-disni, messages, and futures

The command prints a table, and writes peers.csv and table.md into the folder of the results. The options --no-devices and
--without-rdma-core are rejected. A program that takes much longer than usual is killed.

  --rounds N           rounds of each boot (default: 1)
  --boots N            boots (default: 1); the table shows medians
  --libdisni FOLDER    a checkout of DiSNI (https://github.com/zrlio/disni), whose libdisni the lab builds; without it, DiSNI runs
                       on verbs4j only
  --endurance N        for disni: only send N messages of 8 bytes over one connection, once with each library; the exit code is 1
                       if a library fails
{GUEST_HELP}
'''
KINDS = ('disni', 'valkey', 'calls')


def run(arguments):
    settings = guest.Settings(timeout=-1)
    chosen = {'rounds': 1, 'boots': 1, 'endurance': 0, 'libdisni': ''}
    options = Options('peers', settings)
    options.refuse('peers needs the devices and rdma-core', '--no-devices', '--without-rdma-core')
    for name in ('rounds', 'boots', 'endurance'):
        options.value(f'--{name}', lambda option, value: chosen.update({option[2:]: number(option, value)}))
    options.value('--libdisni', lambda _, value: chosen.update(libdisni=value))
    words = options.parse(arguments)
    if len(words) != 1 or words[0] not in KINDS:
        raise UsageError(f"peers needs one of {' '.join(KINDS)}")
    [kind] = words
    if kind != 'disni' and (chosen['libdisni'] or chosen['endurance']):
        raise UsageError(f'peers: --libdisni and --endurance do not apply to {kind}')
    if settings.timeout < 0:
        settings.timeout = 0 if chosen['endurance'] else 3600
    kernelnames.check_name(settings.kernel)
    packages.ensure_with_jdk()
    if not java.ensure_built():
        return 1
    peers.prepare(kind, Path(chosen['libdisni']).absolute() if chosen['libdisni'] else None)
    return boots.run(settings, chosen['boots'], [places.GUEST_FILES / 'guest-bench-peers', peers.FOLDER, kind, chosen['rounds'],
                                                 chosen['endurance']], lambda done: _report(done, chosen['endurance']))


def _report(done, endurance):
    """Prints the table of the boots that finished, or of all boots of an endurance run, in which a library may have failed."""
    tables = [file.read_text() for each in done if (endurance or each.code == 0) and (file := each.results / 'peers.csv').exists()]
    if any(tables):
        text = peers.table(tables)
        (done[-1].results / 'table.md').write_text(text)
        plain(f'\n{done[-1].kernel.release}, {len(tables)} boots:\n\n{text}')
