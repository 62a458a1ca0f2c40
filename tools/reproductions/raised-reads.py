#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Raising the number of incoming reads makes the kernel write beyond an allocated table (Linux 6.1).

rxe_qp_from_attr (rxe_qp.c) stores the new max_dest_rd_atomic first, and then clears the old table of responder
resources by the new size (free_rd_atomic_resources).

It damages the kernel's memory, so run it in a virtual machine of its own. Needs ends.py beside it, pyverbs, and two
rxe devices:
    tools/lab stops raised-reads
The exit code 0 proves nothing: the kernel's log shows the defect, when the kernel checks the overwritten memory."""
import gc

import enums as e
from ends import pair, run
from pyverbs.qp import QPAttr


def main(left, left_address, right, right_address, _interface):
    ends = [pair(left, left_address, right, right_address)[0] for _ in range(4)]
    for end in ends:
        attributes = QPAttr(qp_state=e.IBV_QPS_RESET)
        end.qp.modify(attributes, e.IBV_QP_STATE)
        end.reads = 128
        end.connect(end)
    print('raised the incoming reads of 4 queue pairs from 1 to 128', flush=True)
    for end in ends:
        end.qp.close()
    gc.collect()
    return 0


run(main, __doc__)
