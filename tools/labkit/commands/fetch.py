# SPDX-License-Identifier: Apache-2.0
"""tools/lab fetch: fills the cache."""
from .. import bootimage, kernels, packages, umlbuild
from ..fetch import fetch_kernel
from ..options import Options
from ..say import UsageError, be_quiet, plain

HELP = f'''Usage: tools/lab fetch [--refresh] [KERNEL]…

Fetches the kernels {' '.join(kernels.FETCHED)}, or those named, into the cache unless they are there; {', '.join(kernels.UMLS)} build
user-mode Linux.
A cached kernel stays until you delete it: --refresh looks for a newer one of the same series, which is used from then on.
'''


def run(arguments):
    wishes = {'refresh': False}
    options = Options('fetch')
    options.flag('--refresh', call=lambda: wishes.update(refresh=True))
    options.flag('-q', '--quiet', call=be_quiet)
    names = options.parse(arguments)
    for name in names:
        if name not in (*kernels.FETCHED, *kernels.UMLS):
            raise UsageError(f"fetch: unknown kernel '{name}', not one of {' '.join((*kernels.FETCHED, *kernels.UMLS))}")
    packages.ensure()
    for name in names or kernels.FETCHED:
        if name in kernels.UMLS:
            kernel = umlbuild.kernel(name, wishes['refresh'])
        else:
            if wishes['refresh'] or not kernels.cached(name):
                fetch_kernel(name, wishes['refresh'])
            kernel = kernels.resolve(name)
            bootimage.prepare(kernel)
        plain(f'{name:<5} {kernel.release}')
    return 0
