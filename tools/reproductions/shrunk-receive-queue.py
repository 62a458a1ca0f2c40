#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A failed resize leaves a shared receive queue without a ring, and the next command for it stops the kernel (Linux
6.1).

rxe_queue_resize refuses a size below the number of posted receives. rxe_srq_from_attr (rxe_srq.c) then frees the ring
and clears the pointer to it. rxe_query_srq dereferences this null pointer.

It crashes the kernel, so run it in a virtual machine of its own. Needs ends.py beside it, pyverbs, and two rxe
devices:
    tools/lab run --kernel 6.1 -- python3 tools/reproductions/shrunk-receive-queue.py rxe0 10.9.0.1 rxe1 10.9.0.2 veth1
The exit code is 0 if the defect is not present; otherwise the program does not end."""
import enums as e
from ends import End, run
from pyverbs.pyverbs_error import PyverbsRDMAError
from pyverbs.srq import SRQ, SrqAttr, SrqInitAttr
from pyverbs.wr import SGE, RecvWR


def main(left, left_address, _right, _right_address, _interface):
    end = End(left, left_address)
    queue = SRQ(end.pd, SrqInitAttr(SrqAttr(max_wr=64)))
    for number in range(40):
        queue.post_recv(RecvWR(wr_id=number, sg=[SGE(end.mr.buf, 64, end.mr.lkey)], num_sge=1))
    try:
        queue.modify(SrqAttr(max_wr=4), e.IBV_SRQ_MAX_WR)
        print('shrunk below what waits')
    except PyverbsRDMAError as error:
        print(f'refused: {error}', flush=True)
    print(f'the queue has {queue.query().max_wr} places')
    return 0


run(main, __doc__)
