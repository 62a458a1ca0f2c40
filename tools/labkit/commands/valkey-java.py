# SPDX-License-Identifier: Apache-2.0
"""tools/lab valkey-java: valkey-java's own tests over TCP and over RDMA, and the differences."""
from pathlib import Path

from .. import guest, java, kernelnames, packages, places, valkey, valkeyjava
from ..options import Options
from ..say import UsageError, plain

HELP = f'''Usage: tools/lab valkey-java [OPTION]… FOLDER

Runs valkey-java's own tests against valkey-server, in one guest over TCP and in another one over RDMA. FOLDER is a checkout of
valkey-java (https://github.com/valkey-io/valkey-java), which Maven compiles there. Leaves out the tests that need a cluster, a
sentinel, TLS, a module of the server or a Unix domain socket. Lists the tests that fail over RDMA only, and over TCP only.

  --tests PATTERN      only the test classes whose names contain PATTERN
  --kernel K           {kernelnames.NAMES_HELP}
  --timeout SECONDS    wall time of each guest (default: 7200)
  --memory MIB         memory of the guest
  -q, --quiet          no progress lines

Exit code 1: a test fails over RDMA only, or no test passes over RDMA.
'''


def run(arguments):
    settings, chosen = guest.Settings(timeout=7200), {'tests': ''}
    options = Options('valkey-java', settings)
    options.value('--tests', lambda _, value: chosen.update(tests=value))
    options.refuse('valkey-java needs the devices and rdma-core', '--no-devices', '--without-rdma-core')
    options.refuse('valkey-java does not support %', '--arch', '--siw')
    words = options.parse(arguments)
    if len(words) != 1:
        raise UsageError('valkey-java needs the folder of a checkout of valkey-java')
    checkout = Path(words[0]).resolve()
    kernelnames.check_name(settings.kernel)
    packages.ensure_with_jdk()
    if not java.ensure_built():
        return 1
    valkey.ensure()
    class_path = valkeyjava.prepare(checkout)
    tests = [test for test in valkeyjava.tests(checkout) if chosen['tests'] in test]
    if not tests:
        raise UsageError(f"valkey-java: no test class contains {chosen['tests']}")
    outcomes = {}
    for transport in ('tcp', 'rdma'):
        # Failed tests do not change the exit code of the script.
        done = guest.run_to_end(settings, [places.GUEST_FILES / 'guest-valkey-java', valkeyjava.FOLDER, transport, class_path, *tests])
        outcomes[transport] = valkeyjava.outcome(done.results, tests)
    text, worse = valkeyjava.comparison(**outcomes)
    plain(text)
    return 1 if worse else 0
