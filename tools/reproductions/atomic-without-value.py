#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rxe completes an atomic without its former value after a lost answer.

A send and a fetch-and-add are posted, and the network loses all answers until both are executed. The requester then
repeats the send. The responder acknowledges the duplicate with the number of the latest request, which is the atomic
(duplicate_request, rxe_resp.c: prev_psn). The requester takes this acknowledgement for the answer to the atomic
(check_ack, rxe_comp.c), and completes it with success. The former value is never written. The requester should repeat
the atomic (IBA volume 1, 9.7.5.1.4).

Needs root, ends.py beside it, pyverbs, and two rxe devices on a pair of network interfaces (tools/lab has rxe0 on
veth0 and rxe1 on veth1):
    tools/lab run -- python3 tools/reproductions/atomic-without-value.py rxe0 10.9.0.1 rxe1 10.9.0.2 veth1
The exit code is 1 if the defect is present, and 0 if not."""
import time

import enums as e
from ends import pair, run, silence
from pyverbs.wr import RecvWR, SendWR

UNTOUCHED = 99
FORMER = 7


def main(left, left_address, right, right_address, interface):
    requester, responder = pair(left, left_address, right, right_address)
    requester.set(8, UNTOUCHED)
    responder.set(0, FORMER)
    responder.qp.post_recv(RecvWR(num_sge=1, sg=responder.sge(64)))
    with silence(interface):
        requester.qp.post_send(SendWR(wr_id=1, num_sge=1, sg=requester.sge(0), send_flags=e.IBV_SEND_SIGNALED))
        atomic = SendWR(wr_id=2, opcode=e.IBV_WR_ATOMIC_FETCH_AND_ADD, num_sge=1, sg=requester.sge(8),
                        send_flags=e.IBV_SEND_SIGNALED)
        atomic.set_wr_atomic(responder.mr.rkey, responder.mr.buf, 1, 0)
        requester.qp.post_send(atomic)
        while responder.value(0) != FORMER + 1:
            time.sleep(0.001)
    requester.completions(2)
    value = requester.value(8)
    print(f'the former value is {FORMER}; the requester has {value}')
    return 0 if value == FORMER else 1


run(main, __doc__)
