#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An atomic on an address that is not a multiple of 8 ends the connection at both ends.

The requester does not check the address. rxe's responder rejects the request as invalid (send_atomic_ack and
atomic_reply, rxe_resp.c).

Needs ends.py beside it, pyverbs, and two rxe devices:
    tools/lab run -- python3 tools/reproductions/misaligned-atomic.py rxe0 10.9.0.1 rxe1 10.9.0.2 veth1
The exit code is 1 if the defect is present, and 0 if not."""
import enums as e
from ends import End, run
from pyverbs.qp import QPCap, QPEx, QPInitAttrEx


class ExtendedEnd(End):
    """Its queue pair posts without the checks of ibv_post_send in librxe."""

    def queue_pair(self, kind):
        return QPEx(self.context, QPInitAttrEx(
            qp_type=kind, scq=self.cq, rcq=self.cq, cap=QPCap(8, 8, 1, 1), pd=self.pd,
            comp_mask=e.IBV_QP_INIT_ATTR_PD | e.IBV_QP_INIT_ATTR_SEND_OPS_FLAGS,
            send_ops_flags=e.IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD))


def main(left, left_address, right, right_address, _interface):
    requester, responder = ExtendedEnd(left, left_address), End(right, right_address)
    requester.connect(responder)
    responder.connect(requester)
    requester.qp.wr_start()
    requester.qp.wr_id = 1
    requester.qp.wr_flags = e.IBV_SEND_SIGNALED
    requester.qp.wr_atomic_fetch_add(responder.mr.rkey, responder.mr.buf + 4, 1)
    requester.qp.wr_set_sge(requester.sge(0)[0])
    requester.qp.wr_complete()
    requester.completions(1)
    states = [end.qp.query(e.IBV_QP_STATE)[0].qp_state for end in (requester, responder)]
    ended = states == [e.IBV_QPS_ERR, e.IBV_QPS_ERR]
    print('both ends are in ERR' if ended else f'states: {states}')
    return 1 if ended else 0


run(main, __doc__)
