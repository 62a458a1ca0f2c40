#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A fenced work request that rxe has to send again waits indefinitely for a read that was posted after it.

A fenced send and a read are posted, and the network loses the answers. The send has to be sent again. But the fence
compares the number of outstanding reads with the number permitted (rxe_wqe_is_fenced, rxe_req.c), and counts the
later read. The send is neither repeated nor completed. A fence concerns earlier reads and atomics (IBA volume 1,
10.8.3.3).

Needs ends.py beside it, pyverbs, and two rxe devices:
    tools/lab run -- python3 tools/reproductions/fence-waits-for-itself.py rxe0 10.9.0.1 rxe1 10.9.0.2 veth1
The exit code is 1 if the defect is present, and 0 if not."""
import time

import enums as e
from ends import pair, run, silence
from pyverbs.wr import RecvWR, SendWR


def main(left, left_address, right, right_address, interface):
    requester, responder = pair(left, left_address, right, right_address)
    responder.qp.post_recv(RecvWR(num_sge=1, sg=responder.sge(64)))
    flags = e.IBV_SEND_SIGNALED
    with silence(interface):
        requester.qp.post_send(SendWR(wr_id=1, num_sge=1, sg=requester.sge(0), send_flags=flags | e.IBV_SEND_FENCE))
        read = SendWR(wr_id=2, opcode=e.IBV_WR_RDMA_READ, num_sge=1, sg=requester.sge(8), send_flags=flags)
        read.set_wr_rdma(responder.mr.rkey, responder.mr.buf)
        requester.qp.post_send(read)
        time.sleep(0.2)
    found = requester.completions(2, seconds=4)
    print(f'{len(found)} of 2 work requests completed in 4 s on a sound wire')
    return 0 if len(found) == 2 else 1


run(main, __doc__)
