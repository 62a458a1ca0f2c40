# SPDX-License-Identifier: Apache-2.0
"""tools/lab stops: the defects that crash the kernel, each in a separate guest."""
from .. import guest, kernelnames, packages, stops
from ..options import Options, kernel_list
from ..say import plain

HELP = f'''Usage: tools/lab stops [OPTION]… [NAME]…

Runs the programs of tools/reproductions that crash the kernel or make it write beyond its memory, each in a separate
guest. Compares the outcomes with the known ones: kernels with the defect must show it, the others must not.

  --kernel K[,K]…      kernels to run on; may be repeated (default: {' '.join(kernelnames.FETCHED)})
  --timeout SECONDS    wall time for each guest (default: {stops.TIMEOUT})
  --memory MIB         memory of a guest
  -q, --quiet          no progress lines

Programs: {' '.join(stop.name for stop in stops.STOPS)}.
Exit code 1: a kernel's outcome differs from the known one; the defect may be fixed.
'''


def run(arguments):
    settings, names = guest.Settings(timeout=stops.TIMEOUT), []
    options = Options('stops', settings)
    options.value('--kernel', kernel_list(names))
    options.refuse('stops needs the devices and rdma-core', '--no-devices', '--without-rdma-core')
    chosen = stops.named(options.parse(arguments))
    names = names or list(kernelnames.FETCHED)
    for name in names:
        kernelnames.check_name(name)
    packages.ensure()
    wrong = [text for name in names for text in stops.run_all(chosen, name, settings)]
    plain(f'\n{len(names) * len(chosen) - len(wrong)} passed, {len(wrong)} failed')
    return 1 if wrong else 0
