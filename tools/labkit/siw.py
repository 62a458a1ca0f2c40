# SPDX-License-Identifier: Apache-2.0
"""Builds siw (software iWARP), which Debian's kernels leave out, as a module of its own, once for each kernel."""


from .say import LabError


def module(kernel):
    raise LabError(f'--siw works with --kernel uml only so far, not with {kernel.name}')
