# SPDX-License-Identifier: Apache-2.0
"""tools/lab run: one command in a guest."""
from .. import guest, java, kernelnames, packages, pair
from ..options import GUEST_HELP, Options
from ..say import EXIT_LAB, EXIT_TIMEOUT, EXIT_USAGE, UsageError

HELP = f'''Usage: tools/lab run [OPTION]… [--] COMMAND [ARGUMENT]…

Boots a kernel with the two rxe devices rxe0 (10.9.0.1) and rxe1 (10.9.0.2), and runs COMMAND in it as root, in the
current directory of the machine. Files that the guest writes are lost when it ends, except below
$LAB_RESULTS, a new folder in target/lab/. COMMAND's output is passed through; its exit code becomes the lab's.

{GUEST_HELP}
  --peer K             a second guest with kernel K at the other end of a cable; it has rxe1 (10.9.0.2), the first one rxe0
  --peer-command LINE  bash command line for the second guest, run concurrently; its output appears on stderr after "peer: "

The default time limit is 600 s. Exit codes of the lab itself: {EXIT_USAGE} wrong options, {EXIT_TIMEOUT} time limit, {EXIT_LAB} the guest failed.
COMMAND's environment contains LAB_KERNEL, LAB_RESULTS, and JAVA_HOME of a JDK 25.
'''


def run(arguments):
    settings = guest.Settings(java_options=java.IN_GUESTS)
    options, peer = Options('run', settings), {}
    options.value('--peer', lambda _, value: peer.update(kernel=value))
    options.value('--peer-command', lambda _, value: peer.update(line=value))
    command = options.parse(arguments, rest=True)
    if not command:
        raise UsageError('run: no command given')
    kernelnames.check_name(settings.kernel)
    if peer and (len(peer) < 2 or not settings.devices):
        raise UsageError('run: --peer and --peer-command must be used together, and need devices')
    if peer:
        kernelnames.check_name(peer['kernel'])
    packages.ensure()
    if peer:
        first, second = pair.run(settings, command, peer['kernel'], peer['line'])
        return first.code or second.code
    return guest.run(settings, command).code
