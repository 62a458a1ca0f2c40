#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rxe completes a datagram over the MTU with success, and sends nothing.

rxe_requester (rxe_req.c) drops the datagram. A comment there cites IBA volume 1, C10-93.1.1: the device must not send
a packet for such a datagram, and must not generate an error.

Needs ends.py beside it, pyverbs, and two rxe devices:
    tools/lab run -- python3 tools/reproductions/datagram-over-mtu.py rxe0 10.9.0.1 rxe1 10.9.0.2 veth1
The exit code is 1 if the defect is present, and 0 if not."""
import enums as e
from ends import End, run, sent
from pyverbs.addr import AH
from pyverbs.qp import QPAttr
from pyverbs.wr import SendWR

LENGTH = 5000
QKEY = 0x11111111


def main(left, left_address, right, right_address, _interface):
    sender, receiver = End(left, left_address), End(right, right_address)
    queue_pair = sender.queue_pair(e.IBV_QPT_UD)
    attributes = QPAttr(port_num=1)
    attributes.qkey = QKEY
    queue_pair.to_rts(attributes)
    datagram = SendWR(wr_id=1, num_sge=1, sg=sender.sge(0, LENGTH), send_flags=e.IBV_SEND_SIGNALED)
    datagram.set_wr_ud(AH(sender.pd, attr=sender.path(receiver)), 1, QKEY)
    before = sent(left)
    queue_pair.post_send(datagram)
    status = sender.completions(1)[0]
    packets = sent(left) - before
    print(f'{LENGTH} bytes with an MTU of at most 4096: {packets} packets')
    return 0 if status != e.IBV_WC_SUCCESS else 1


run(main, __doc__)
