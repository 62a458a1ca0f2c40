# SPDX-License-Identifier: Apache-2.0
"""tools/lab fetch: fills the cache."""
from .. import arch, bootimage, kernelnames, kernels, kerneltree, packages, umlbuild, userland
from ..fetch import fetch_kernel
from ..options import Options
from ..say import UsageError, be_quiet, plain

HELP = f'''Usage: tools/lab fetch [--refresh] [--arch A] [KERNEL]…

Fetches the kernels {' '.join(kernelnames.FETCHED)}, or the named ones, into the cache, unless they are cached; {', '.join(kernelnames.UMLS)} build
user-mode Linux. With --arch arm64, kernels for arm64 and programs that run on them.
A cached kernel stays until you delete it. --refresh looks for a newer one of the same series, which is used from then on.
'''


def run(arguments):
    selected = {'refresh': False, 'arch': arch.AMD64}
    options = Options('fetch')
    options.flag('--refresh', call=lambda: selected.update(refresh=True))
    options.value('--arch', lambda _, value: selected.update(arch=arch.named(value)))
    options.flag('-q', '--quiet', call=be_quiet)
    names = options.parse(arguments)
    for name in names:
        if name not in (*kernelnames.FETCHED, *kernelnames.UMLS):
            raise UsageError(f"fetch: unknown kernel '{name}', not one of {' '.join((*kernelnames.FETCHED, *kernelnames.UMLS))}")
    packages.ensure()
    if not selected['arch'].native:
        userland.root(selected['arch'])
    for name in names or kernelnames.FETCHED:
        if name in kernelnames.UMLS:
            kernel = umlbuild.kernel(name, selected['refresh'])
        else:
            if selected['refresh'] or not kerneltree.cached(name, selected['arch']):
                fetch_kernel(name, selected['arch'], selected['refresh'])
            kernel = kernels.resolve(name, selected['arch'])
            bootimage.prepare(kernel)
        plain(f'{name:<5} {kernel.release}')
    return 0
