#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""More incoming reads at a time than at first make the kernel write behind its own memory.

rxe_qp_from_attr (rxe_qp.c) takes the new max_dest_rd_atomic first and then clears the old table of responder resources, by the new size
(free_rd_atomic_resources).

Give it a guest of its own. Needs ends.py beside it, pyverbs, and two rxe devices. The kernel notices what was overwritten when it looks:
    tools/lab stops raised-reads
Exit code 0 if the program came to its end, which proves nothing: the kernel's log does."""
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
