#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rxe never flushes a receive that is posted to a queue pair in ERR.

In ERR, the responder runs only when a packet arrives or the state changes (rxe_qp_error, rxe_qp.c). Posting a receive
does not run it (rxe_post_recv, rxe_verbs.c). A queue pair in ERR completes all work requests with a flush error (IBA
volume 1, 10.3.1.7).

Needs ends.py beside it, pyverbs, and two rxe devices:
    tools/lab run -- python3 tools/reproductions/receives-in-err.py rxe0 10.9.0.1 rxe1 10.9.0.2 veth1
The exit code is 1 if the defect is present, and 0 if not."""
import time

import enums as e
from ends import pair, run
from pyverbs.qp import QPAttr
from pyverbs.wr import RecvWR


def main(left, left_address, right, right_address, _interface):
    end, _peer = pair(left, left_address, right, right_address)
    end.qp.modify(QPAttr(qp_state=e.IBV_QPS_ERR), e.IBV_QP_STATE)
    time.sleep(0.2)  # the responder flushes what is there at the change of state
    end.qp.post_recv(RecvWR(wr_id=1, num_sge=1, sg=end.sge(0)))
    flushed = end.completions(1, seconds=2)
    print(f'{len(flushed)} of 1 receives flushed')
    return 0 if flushed else 1


run(main, __doc__)
