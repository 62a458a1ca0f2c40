# SPDX-License-Identifier: Apache-2.0
"""Runs one subcommand, and ends with its exit code."""
import importlib
import re
import sys

from . import signals
from .options import HelpWanted
from .places import LAB_HOME
from .say import EXIT_LAB, EXIT_USAGE, LabError, UsageError

USAGE = '''Usage: tools/lab SUBCOMMAND [OPTION]…      (tools/lab SUBCOMMAND --help shows details)

  run        run a command as root in a guest with two rxe devices, return its exit code
  shell      an interactive shell in the guest
  pingpong   RC ping-pong between two Java processes, with the packets on the wire
  bench      ping-pong and perftest's tests, alternating between C and Java, and the ratios of their results
  peers      other libraries for RDMA, Valkey clients and remote calls, alternating with verbs4j, in one guest
  test       all tests: those without a device on this machine, those with rxe in a guest per kernel
  pyverbs    rdma-core's Python suite and our tests of the same scenarios, and their differences
  programs   unchanged programs of other projects over RDMA: Kafka, gRPC, Jetty and others
  valkey-java  valkey-java's own tests over TCP and over RDMA, and their differences
  coverage   writes docs/verbs-coverage.md from the results of the device tests
  kernel-coverage  writes docs/kernel-coverage.md: the lines of rxe that the device tests reach, on user-mode Linux
  packets    compares 'tools/verbs packets' with tshark, field by field, on captures of a folder or generated ones
  stops      the defects that crash the kernel, each in a separate guest
  fetch      fetch kernels into the cache (the other subcommands do this if one is missing)
  doctor     checks this machine, and lists missing prerequisites with remedies

Kernels: 6.1, 6.12, sid (Debian's own packages), uml (user-mode Linux, built once; uml-gcov counts the executed lines of rxe,
uml-debug has the kernel's own checks), host (this machine's), or a directory with boot/ and lib/modules/.
The cache is ${VERBS4J_LAB_CACHE:-${XDG_CACHE_HOME:-~/.cache}/verbs4j-lab}; results are left in target/lab/.
'''


def main(arguments):
    signals.handle()
    try:
        return _subcommand(arguments)
    except UsageError as e:
        print(f'lab: error: {e} (see tools/lab --help)', file=sys.stderr)
        return EXIT_USAGE
    except LabError as e:
        print(f'lab: error: {e}', file=sys.stderr)
        return EXIT_LAB


def _subcommand(arguments):
    name = arguments[0] if arguments else ''
    if not name:
        sys.stderr.write(USAGE)
        return EXIT_USAGE
    if name in ('-h', '--help', 'help'):
        sys.stdout.write(USAGE)
        return 0
    # One module per subcommand, with HELP and run(arguments). A new subcommand only needs commands/NAME.py.
    if not re.fullmatch('[a-z-]+', name) or not (LAB_HOME / 'labkit' / 'commands' / f'{name}.py').exists():
        raise UsageError(f"unknown subcommand '{name}'")
    module = importlib.import_module(f'labkit.commands.{name}')
    try:
        code = module.run(arguments[1:])
    except HelpWanted:
        sys.stdout.write(module.HELP)
        return 0
    sys.stdout.flush()
    return code
