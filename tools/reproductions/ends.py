# SPDX-License-Identifier: Apache-2.0
"""Two ends of a connection, for the programs beside this file. Needs pyverbs and two rxe devices whose interfaces reach each other."""
import ipaddress
import struct
import subprocess
import sys
import time
from contextlib import contextmanager

import enums as e
from pyverbs.addr import GID, AHAttr, GlobalRoute
from pyverbs.cq import CQ
from pyverbs.device import Context
from pyverbs.mr import MR, MW, MWBindInfo
from pyverbs.pd import PD
from pyverbs.qp import QP, QPAttr, QPCap, QPInitAttr
from pyverbs.wr import SGE, SendWR

PSN = 100
RIGHTS = (e.IBV_ACCESS_LOCAL_WRITE | e.IBV_ACCESS_REMOTE_WRITE | e.IBV_ACCESS_REMOTE_READ | e.IBV_ACCESS_REMOTE_ATOMIC
          | e.IBV_ACCESS_MW_BIND)


class End:
    reads = 1  # at a time, in each direction
    retries = 7  # without end

    def __init__(self, device, address, rights=RIGHTS):
        self.context = Context(name=device)
        self.pd = PD(self.context)
        self.cq = CQ(self.context, 16)
        self.mr = MR(self.pd, 8192, rights)
        self.qp = self.queue_pair(e.IBV_QPT_RC)
        self.gid = '::ffff:' + address
        self.index = next(i for i in range(16) if self.is_gid(i))

    def is_gid(self, index):
        gid = ipaddress.ip_address(str(self.context.query_gid(1, index)))
        return gid == ipaddress.ip_address(self.gid)

    def queue_pair(self, kind):
        return QP(self.pd, QPInitAttr(qp_type=kind, scq=self.cq, rcq=self.cq, cap=QPCap(8, 8, 1, 1)))

    def connect(self, peer):
        attributes = QPAttr(port_num=1)
        attributes.qp_access_flags = (e.IBV_ACCESS_REMOTE_WRITE | e.IBV_ACCESS_REMOTE_READ
                                      | e.IBV_ACCESS_REMOTE_ATOMIC)
        attributes.dest_qp_num = peer.qp.qp_num
        attributes.path_mtu = e.IBV_MTU_1024
        attributes.rq_psn = attributes.sq_psn = PSN
        attributes.max_rd_atomic = attributes.max_dest_rd_atomic = self.reads
        attributes.min_rnr_timer = 12
        attributes.timeout = 16
        attributes.retry_cnt = self.retries
        attributes.rnr_retry = 7
        attributes.ah_attr = self.path(peer)
        self.qp.to_rts(attributes)

    def reset(self):
        self.qp.modify(QPAttr(qp_state=e.IBV_QPS_RESET), e.IBV_QP_STATE)

    def read(self, peer, length, wr_id=1, key=None):
        """Reads the first bytes of the peer's region, by its key or another one, into the first of its own."""
        request = SendWR(wr_id=wr_id, opcode=e.IBV_WR_RDMA_READ, num_sge=1, sg=self.sge(0, length), send_flags=e.IBV_SEND_SIGNALED)
        request.set_wr_rdma(key or peer.mr.rkey, peer.mr.buf)
        self.qp.post_send(request)

    def invalidate(self, key, wr_id=1):
        """Invalidates a key of its own."""
        request = SendWR(wr_id=wr_id, opcode=e.IBV_WR_LOCAL_INV, send_flags=e.IBV_SEND_SIGNALED)
        request.imm_data = key  # the same place as invalidate_rkey
        self.qp.post_send(request)

    def write(self, peer, offset, length, wr_id=1):
        """Writes its first bytes to an offset of the peer's region."""
        request = SendWR(wr_id=wr_id, opcode=e.IBV_WR_RDMA_WRITE, num_sge=1, sg=self.sge(0, length), send_flags=e.IBV_SEND_SIGNALED)
        request.set_wr_rdma(peer.mr.rkey, peer.mr.buf + offset)
        self.qp.post_send(request)

    def path(self, peer):
        route = GlobalRoute(sgid_index=self.index, dgid=GID(str(peer.context.query_gid(1, peer.index))))
        return AHAttr(port_num=1, is_global=1, gr=route, dlid=0)

    def value(self, offset):
        return struct.unpack('=Q', self.mr.read(8, offset))[0]

    def set(self, offset, value):
        self.mr.write(struct.pack('=Q', value), 8, offset)

    def sge(self, offset, length=8):
        return [SGE(self.mr.buf + offset, length, self.mr.lkey)]

    def completions(self, most, seconds=60):
        """Prints so many completions, or those that come in the time; returns their statuses."""
        found, end = [], time.monotonic() + seconds
        while len(found) < most and time.monotonic() < end:
            for completion in self.cq.poll()[1] or []:
                print(f'work request {completion.wr_id}: status {completion.status}')
                found.append(completion.status)
        return found


def bind(end, length, rights):
    """Binds a type 2 window to the first bytes of a region; returns it and its key, whose last byte pyverbs counts up."""
    window = MW(end.pd, e.IBV_MW_TYPE_2)
    key = window.rkey
    request = SendWR(wr_id=1, opcode=e.IBV_WR_BIND_MW, send_flags=e.IBV_SEND_SIGNALED)
    request.set_bind_wr(window, MWBindInfo(end.mr, end.mr.buf, length, rights))
    end.qp.post_send(request)
    end.completions(1)
    return window, key & ~0xff | (key + 1) & 0xff


@contextmanager
def silence(interface):
    """Loses every packet that leaves an interface."""
    subprocess.run(['tc', 'qdisc', 'add', 'dev', interface, 'root', 'netem', 'loss', '100%'], check=True)
    try:
        yield
    finally:
        subprocess.run(['tc', 'qdisc', 'del', 'dev', interface, 'root'], check=True)


def sent(device):
    """Returns how many packets a device has sent."""
    with open(f'/sys/class/infiniband/{device}/ports/1/hw_counters/sent_pkts') as counter:
        return int(counter.read())


def pair(left, left_address, right, right_address):
    """Returns two ends that are connected with each other."""
    ends = End(left, left_address), End(right, right_address)
    ends[0].connect(ends[1])
    ends[1].connect(ends[0])
    return ends


def run(main, usage):
    """Runs a program whose arguments are the lab's: DEVICE ADDRESS DEVICE ADDRESS INTERFACE."""
    if len(sys.argv) != 6:
        sys.exit(usage)
    sys.exit(main(*sys.argv[1:]))
