#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rxe stores packets for memory with on-demand paging at the start of their page.

A peer writes 64 bytes to an offset of 256 within the second page of such a region. rxe stores them at the start of
the page, and overwrites other data: __rxe_odp_mr_copy (rxe_odp.c) computes the offset, but does not add it. Needs a
kernel with on-demand paging in rxe (6.15).

Needs ends.py beside it, pyverbs, and two rxe devices:
    tools/lab run -- python3 tools/reproductions/paged-memory-at-page-start.py rxe0 10.9.0.1 rxe1 10.9.0.2 veth1
The exit code is 1 if the defect is present, and 0 if not."""
import enums as e
from ends import RIGHTS, End, run

PAGE, OFFSET, LENGTH = 4096, 256, 64


def main(left, left_address, right, right_address, _interface):
    writer = End(left, left_address)
    owner = End(right, right_address, rights=RIGHTS & ~e.IBV_ACCESS_MW_BIND | e.IBV_ACCESS_ON_DEMAND)
    writer.connect(owner)
    owner.connect(writer)
    writer.mr.write('x' * LENGTH, LENGTH)
    owner.mr.write(' ' * 2 * PAGE, 2 * PAGE)
    writer.write(owner, PAGE + OFFSET, LENGTH)
    writer.completions(1)
    found = owner.mr.read(PAGE, PAGE).find(b'x')
    print(f'{LENGTH} bytes written to offset {OFFSET} of a page; they stand at {found}')
    return 0 if found == OFFSET else 1


run(main, __doc__)
