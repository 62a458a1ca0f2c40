# SPDX-License-Identifier: Apache-2.0
"""tools/lab run: one command in a guest."""
from .. import guest, kernels, packages
from ..options import GUEST_HELP, Options
from ..say import EXIT_LAB, EXIT_TIMEOUT, EXIT_USAGE, UsageError

HELP = f'''Usage: tools/lab run [OPTION]… [--] COMMAND [ARGUMENT]…

Boots a kernel with the two rxe devices rxe0 (10.9.0.1) and rxe1 (10.9.0.2) and runs COMMAND in it as root, in the
current directory, which the guest sees as the machine has it. What the guest writes vanishes with it, except below
$LAB_RESULTS, a new folder in target/lab/. COMMAND's output comes out as it is; its exit code is the lab's.

{GUEST_HELP}

The default time limit is 600 s. Exit codes of the lab's own: {EXIT_USAGE} wrong options, {EXIT_TIMEOUT} time limit, {EXIT_LAB} the guest failed.
COMMAND finds LAB_KERNEL, LAB_RESULTS, and JAVA_HOME of a JDK 25 in its environment.
'''


def run(arguments):
    settings = guest.Settings()
    command = Options('run', settings).parse(arguments, rest=True)
    if not command:
        raise UsageError('run: no command given')
    kernels.check_name(settings.kernel)
    packages.ensure()
    return guest.run(settings, command).code
