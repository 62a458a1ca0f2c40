#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rxe lets a peer write beyond the end of a memory window.

A window of 64 bytes is bound, and a peer writes to the 8 bytes after it with the window's key. The responder takes
the rights from the window, and the bounds from the region (check_rkey, rxe_resp.c). It should refuse with a remote
access error (IBA volume 1, 10.6.7.2.2).

Needs ends.py beside it, pyverbs, and two rxe devices:
    tools/lab run -- python3 tools/reproductions/window-reaches-region.py rxe0 10.9.0.1 rxe1 10.9.0.2 veth1
The exit code is 1 if the defect is present, and 0 if not."""
import enums as e
from ends import bind, pair, run
from pyverbs.wr import SendWR

BOUND = 64


def main(left, left_address, right, right_address, _interface):
    requester, owner = pair(left, left_address, right, right_address)
    window, key = bind(owner, BOUND, e.IBV_ACCESS_REMOTE_WRITE)
    requester.set(0, 7)
    write = SendWR(wr_id=2, opcode=e.IBV_WR_RDMA_WRITE, num_sge=1, sg=requester.sge(0), send_flags=e.IBV_SEND_SIGNALED)
    write.set_wr_rdma(key, owner.mr.buf + BOUND)
    requester.qp.post_send(write)
    status = requester.completions(1)[0]
    print(f'the window has {BOUND} bytes; behind them stands {owner.value(BOUND)}')
    window.close()
    return 0 if status == e.IBV_WC_REM_ACCESS_ERR else 1


run(main, __doc__)
