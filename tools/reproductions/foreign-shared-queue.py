#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A queue pair accepts a shared receive queue of another protection domain, and then every receive fails.

The memory of a shared receive queue belongs to the queue's domain (IBA volume 1, 10.2.9). rxe looks for it in the
queue pair's domain (send_data_in, rxe_resp.c, passes qp->pd to copy_data).

Needs ends.py beside it, pyverbs, and two rxe devices:
    tools/lab run -- python3 tools/reproductions/foreign-shared-queue.py rxe0 10.9.0.1 rxe1 10.9.0.2 veth1
The exit code is 1 if the defect is present, and 0 if not."""
import enums as e
from ends import RIGHTS, End, run
from pyverbs.mr import MR
from pyverbs.pd import PD
from pyverbs.qp import QP, QPCap, QPInitAttr
from pyverbs.srq import SRQ, SrqAttr, SrqInitAttr
from pyverbs.wr import SGE, RecvWR, SendWR


class SharingEnd(End):
    def queue_pair(self, kind):
        other = PD(self.context)
        self.shared = SRQ(other, SrqInitAttr(SrqAttr(max_wr=8)))
        self.theirs = MR(other, 4096, RIGHTS)
        return QP(self.pd, QPInitAttr(qp_type=kind, scq=self.cq, rcq=self.cq, srq=self.shared, cap=QPCap(8, 0, 1, 0)))


def main(left, left_address, right, right_address, _interface):
    sender, receiver = End(left, left_address), SharingEnd(right, right_address)
    sender.connect(receiver)
    receiver.connect(sender)
    receiver.shared.post_recv(RecvWR(wr_id=1, sg=[SGE(receiver.theirs.buf, 64, receiver.theirs.lkey)], num_sge=1))
    sender.qp.post_send(SendWR(wr_id=2, num_sge=1, sg=sender.sge(0), send_flags=e.IBV_SEND_SIGNALED))
    [status] = receiver.completions(1)
    print('received' if status == e.IBV_WC_SUCCESS else 'memory of the shared receive queue is not found')
    return 0 if status == e.IBV_WC_SUCCESS else 1


run(main, __doc__)
