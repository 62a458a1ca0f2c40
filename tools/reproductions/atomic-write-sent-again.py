#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rxe retransmits an atomic write to address 0.

The responder is not ready at first, so the request is sent again. Before that, req_retry (rxe_req.c) restores the
address of reads, writes and atomics, and clears it for all other requests, including atomic writes and flushes. The
repeated request therefore has address 0, and ends with a remote access error. Needs a kernel with atomic writes in
rxe (6.2).

Needs ends.py beside it, pyverbs, and two rxe devices:
    tools/lab run -- python3 tools/reproductions/atomic-write-sent-again.py rxe0 10.9.0.1 rxe1 10.9.0.2 veth1
The exit code is 1 if the defect is present, and 0 if not."""
import time

import enums as e
from ends import End, run, sent
from pyverbs.qp import QPCap, QPEx, QPInitAttrEx


def main(left, left_address, right, right_address, _interface):
    requester, responder = End(left, left_address), End(right, right_address)
    operations = e.IBV_QP_EX_WITH_ATOMIC_WRITE
    mask = e.IBV_QP_INIT_ATTR_PD | e.IBV_QP_INIT_ATTR_SEND_OPS_FLAGS
    requester.qp = QPEx(requester.context, QPInitAttrEx(
        qp_type=e.IBV_QPT_RC, scq=requester.cq, rcq=requester.cq, cap=QPCap(8, 8, 1, 1), pd=requester.pd,
        comp_mask=mask, send_ops_flags=operations))
    requester.connect(responder)
    before = sent(left)
    requester.qp.wr_start()
    requester.qp.wr_id = 1
    requester.qp.wr_flags = e.IBV_SEND_SIGNALED
    requester.qp.wr_atomic_write(responder.mr.rkey, responder.mr.buf, b'12345678')
    requester.qp.wr_complete()
    end = time.monotonic() + 30
    while sent(left) < before + 2:
        if time.monotonic() > end:
            raise TimeoutError('nothing is sent again; has this rxe no atomic writes?')
        time.sleep(0.01)
    responder.connect(requester)
    status = requester.completions(1)[0]
    print('a remote access error' if status == e.IBV_WC_REM_ACCESS_ERR else 'written')
    return 0 if status == e.IBV_WC_SUCCESS else 1


run(main, __doc__)
