#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rxe completes an atomic without its former value.

A send and a fetch-and-add go out; the network loses all answers until both are done. The requester then repeats the send. The responder
acknowledges the duplicate with the number of the latest request (rxe_resp.c, duplicate_request: prev_psn), which is the atomic's.
The requester takes this acknowledgement for the answer to the atomic (rxe_comp.c, check_ack) and completes it with success; the former
value is never written. It should have repeated the atomic (IBA volume 1, 9.7.5.1.4).

Needs root, pyverbs, and two rxe devices on a pair of network interfaces (tools/lab makes rxe0 on veth0 and rxe1 on veth1):
    tools/lab run -- python3 tools/reproductions/atomic-without-value.py rxe0 10.9.0.1 rxe1 10.9.0.2 veth1
Exit code 1 if the defect is there, 0 if not."""
import ipaddress
import struct
import subprocess
import sys
import time

import pyverbs.enums as e
from pyverbs.addr import GID, AHAttr, GlobalRoute
from pyverbs.cq import CQ
from pyverbs.device import Context
from pyverbs.mr import MR
from pyverbs.pd import PD
from pyverbs.qp import QP, QPAttr, QPCap, QPInitAttr
from pyverbs.wr import SGE, RecvWR, SendWR

UNTOUCHED = 99
FORMER = 7
PSN = 100


class End:
    def __init__(self, device, address):
        self.context = Context(name=device)
        self.pd = PD(self.context)
        self.cq = CQ(self.context, 16)
        rights = e.IBV_ACCESS_LOCAL_WRITE | e.IBV_ACCESS_REMOTE_WRITE | e.IBV_ACCESS_REMOTE_ATOMIC
        self.mr = MR(self.pd, 4096, rights)
        self.qp = QP(self.pd, QPInitAttr(qp_type=e.IBV_QPT_RC, scq=self.cq, rcq=self.cq, cap=QPCap(8, 8, 1, 1)))
        self.gid = '::ffff:' + address
        self.index = next(i for i in range(16) if self.is_gid(i))

    def is_gid(self, index):
        gid = ipaddress.ip_address(str(self.context.query_gid(1, index)))
        return gid == ipaddress.ip_address(self.gid)

    def connect(self, peer):
        attributes = QPAttr(port_num=1)
        attributes.qp_access_flags = e.IBV_ACCESS_REMOTE_WRITE | e.IBV_ACCESS_REMOTE_ATOMIC
        attributes.dest_qp_num = peer.qp.qp_num
        attributes.path_mtu = e.IBV_MTU_1024
        attributes.rq_psn = attributes.sq_psn = PSN
        attributes.max_rd_atomic = attributes.max_dest_rd_atomic = 1
        attributes.min_rnr_timer = 12
        attributes.timeout = 16
        attributes.retry_cnt = attributes.rnr_retry = 7
        route = GlobalRoute(sgid_index=self.index, dgid=GID(str(peer.context.query_gid(1, peer.index))))
        attributes.ah_attr = AHAttr(port_num=1, is_global=1, gr=route, dlid=0)
        self.qp.to_rts(attributes)

    def value(self, offset):
        return struct.unpack('=Q', self.mr.read(8, offset))[0]

    def set(self, offset, value):
        self.mr.write(struct.pack('=Q', value), 8, offset)

    def sge(self, offset):
        return [SGE(self.mr.buf + offset, 8, self.mr.lkey)]


def main(left, left_address, right, right_address, interface):
    requester, responder = End(left, left_address), End(right, right_address)
    requester.connect(responder)
    responder.connect(requester)
    requester.set(8, UNTOUCHED)
    responder.set(0, FORMER)
    responder.qp.post_recv(RecvWR(num_sge=1, sg=responder.sge(64)))

    subprocess.run(['tc', 'qdisc', 'add', 'dev', interface, 'root', 'netem', 'loss', '100%'], check=True)
    try:
        requester.qp.post_send(SendWR(wr_id=1, num_sge=1, sg=requester.sge(0), send_flags=e.IBV_SEND_SIGNALED))
        atomic = SendWR(wr_id=2, opcode=e.IBV_WR_ATOMIC_FETCH_AND_ADD, num_sge=1, sg=requester.sge(8),
                        send_flags=e.IBV_SEND_SIGNALED)
        atomic.set_wr_atomic(responder.mr.rkey, responder.mr.buf, 1, 0)
        requester.qp.post_send(atomic)
        while responder.value(0) != FORMER + 1:
            time.sleep(0.001)
    finally:
        subprocess.run(['tc', 'qdisc', 'del', 'dev', interface, 'root'], check=True)

    done = 0
    while done < 2:
        count, completions = requester.cq.poll()
        for completion in completions or []:
            print(f'work request {completion.wr_id}: status {completion.status}')
        done += count
    value = requester.value(8)
    print(f'the former value is {FORMER}; the requester has {value}')
    return 0 if value == FORMER else 1


if __name__ == '__main__':
    if len(sys.argv) != 6:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
