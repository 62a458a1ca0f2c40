#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Replays random walks (docs/walks.md) through libibverbs and librxe.

Usage: replay-walks.py WALKS RESULTS

WALKS has one walk per line, as JSON: the layout of both ends, and steps. Each step contains an action and its expected
outcome, so that the driver knows how long to wait. RESULTS gets a line for each step: the outcome, the completions of each
queue, the states of the queue pairs and the checksums of the regions, as JSON without spaces. It ends with the first step
whose outcome differs.
"""
import errno
import functools
import json
import socket
import sys
import time
import zlib
from pathlib import Path

from pyverbs.addr import AHAttr, GlobalRoute
from pyverbs.cq import CQ
from pyverbs.device import Context
from pyverbs.mr import MR, MW, MWBindInfo
from pyverbs.pd import PD
from pyverbs.pyverbs_error import PyverbsRDMAError
from pyverbs.qp import QP, QPAttr, QPCap, QPInitAttr
from pyverbs.wr import SGE, RecvWR, SendWR

sys.path.append(str(Path(__file__).resolve().parent.parent / 'reproductions'))
import enums as e  # noqa: E402

LIMIT = 10  # seconds to wait for expected results
DRAINING = 100  # added to the state of a queue pair whose sends are still draining


@functools.cache
def content(seed, length):
    """The bytes of TestBytes.of(seed, length)."""
    state = (seed * 0x9E3779B9 + 1) & 0xFFFFFFFF
    made = bytearray(length)
    for i in range(length):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        made[i] = state >> 24
    return bytes(made)


class End:
    """One end: rxe0 or rxe1."""

    def __init__(self, number, walk):
        self.number = number
        self.walk = walk
        self.context = Context(name=f'rxe{number}')
        self.domain = PD(self.context)
        self.queues = [self.new_queue() for _ in range(2)]
        self.regions = [self.new_region(i) for i in range(len(walk['regions']))]
        self.windows = [self.new_window(i) for i in range(2)]
        self.window_keys = [window.rkey for window in self.windows]
        self.window_regions = [0, 0]
        self.window_generations = [1, 1]
        self.window_binds = [0, 0]
        self.key_names = {}
        for number in range(2):
            self.name_key(number)
        self.numbers = {}
        self.queue_pair = None
        self.life = 0
        self.create()

    def new_queue(self):
        return CQ(self.context, self.walk['completions'])

    def new_region(self, index):
        length, rights = self.walk['regions'][index]
        region = MR(self.domain, length, rights)
        region.write(content(self.number * len(self.walk['regions']) + index, length), length)
        return region

    def new_window(self, index):
        return MW(self.domain, (e.IBV_MW_TYPE_1, e.IBV_MW_TYPE_2)[index])

    def name_key(self, number):
        """Records the current name of a window's key."""
        self.key_names[self.window_keys[number]] = (
            f"{('left', 'right')[self.number]} window {number} number {self.window_generations[number]}"
            f" key {self.window_binds[number]}")

    def create(self):
        walk = self.walk
        capabilities = QPCap(walk['sends'], walk['receives'], walk['elements'], walk['elements'], walk['inline'])
        attributes = QPInitAttr(qp_type=e.IBV_QPT_RC, scq=self.queues[0], rcq=self.queues[1], cap=capabilities,
                                sq_sig_all=0)
        self.queue_pair = QP(self.domain, attributes)
        self.numbers[self.queue_pair.qp_num] = len(self.numbers) + 1
        self.qpn = self.queue_pair.qp_num
        self.life += 1

    def first_packet(self):
        return (self.number + 1) * 0x1000 + self.life * 0x4000 & 0xFFFFFF

    def close_queue_pair(self):
        if self.queue_pair is not None:
            self.queue_pair.close()
            self.queue_pair = None

    def state(self):
        if self.queue_pair is None:
            return -1
        attributes, _ = self.queue_pair.query(e.IBV_QP_STATE)
        return attributes.qp_state + (DRAINING if attributes.sq_draining else 0)

    def elements(self, parts):
        elements = []
        for region, offset, length, spoil in parts:
            memory = self.regions[region]
            elements.append(SGE(memory.buf + offset, length, memory.lkey ^ spoil))
        # pyverbs needs at least one element
        return elements or [SGE(self.regions[0].buf, 0, self.regions[0].lkey)]

    def key(self, target):
        window, number, _, spoil = target
        return (self.window_keys[number] if window else self.regions[number].rkey) ^ spoil

    def address(self, target):
        window, number, offset, _ = target
        return self.regions[self.window_regions[number] if window else number].buf + offset

    def memory(self):
        return [zlib.crc32(region.read(length, 0)) for region, (length, _)
                in zip(self.regions, self.walk['regions'])]

    def close(self):
        for window in self.windows:
            window.close()
        self.close_queue_pair()
        self.context.close()


def modify(end, peer, step):
    attributes = QPAttr()
    mask = e.IBV_QP_STATE
    state = step['state']
    attributes.qp_state = state
    if step['attributes'] == 'FOREIGN':
        attributes.qkey = 0x1234
        mask |= e.IBV_QP_QKEY
    if step['attributes'] != 'MISSING':
        if state == e.IBV_QPS_INIT:
            attributes.pkey_index = 0
            attributes.port_num = 1
            attributes.qp_access_flags = step['rights']
            mask |= e.IBV_QP_PKEY_INDEX | e.IBV_QP_PORT | e.IBV_QP_ACCESS_FLAGS
        elif state == e.IBV_QPS_RTR:
            route = GlobalRoute(dgid=peer.context.query_gid(1, 1), sgid_index=1, hop_limit=64)
            attributes.ah_attr = AHAttr(gr=route, is_global=1, port_num=1)
            attributes.path_mtu = e.IBV_MTU_1024
            attributes.dest_qp_num = peer.qpn
            attributes.rq_psn = peer.first_packet()
            attributes.max_dest_rd_atomic = 16
            attributes.min_rnr_timer = 1
            mask |= (e.IBV_QP_AV | e.IBV_QP_PATH_MTU | e.IBV_QP_DEST_QPN | e.IBV_QP_RQ_PSN
                     | e.IBV_QP_MAX_DEST_RD_ATOMIC | e.IBV_QP_MIN_RNR_TIMER)
        elif state == e.IBV_QPS_RTS:
            attributes.sq_psn = end.first_packet()
            attributes.timeout = end.walk['timeout']
            attributes.retry_cnt = end.walk['retries']
            attributes.rnr_retry = 0
            attributes.max_rd_atomic = 16
            mask |= (e.IBV_QP_SQ_PSN | e.IBV_QP_TIMEOUT | e.IBV_QP_RETRY_CNT | e.IBV_QP_RNR_RETRY
                     | e.IBV_QP_MAX_QP_RD_ATOMIC)
    end.queue_pair.modify(attributes, mask)
    if state == e.IBV_QPS_RESET:
        end.life += 1
    return 'done'


def send_request(end, peer, request, following):
    opcode = request['opcode']
    data = 0
    if opcode in (e.IBV_WR_SEND_WITH_IMM, e.IBV_WR_RDMA_WRITE_WITH_IMM):
        data = socket.htonl(request['value'] & 0xFFFFFFFF)
    elif opcode == e.IBV_WR_SEND_WITH_INV:
        data = peer.key(request['target'])
    elif opcode == e.IBV_WR_LOCAL_INV:
        data = end.key(request['target'])
    no_data = opcode in (e.IBV_WR_LOCAL_INV, e.IBV_WR_BIND_MW)
    elements = [] if no_data else end.elements(request['parts'])
    work = SendWR(wr_id=request['id'], opcode=opcode, num_sge=len(elements), sg=elements or None, imm_data=data,
                  send_flags=request['flags'], next_wr=following)
    if opcode == e.IBV_WR_BIND_MW:
        region, offset, length, _ = request['parts'][0]
        number = request['target'][1]
        memory = end.regions[region]
        work.set_bind_wr(end.windows[number], MWBindInfo(memory, memory.buf + offset, length, request['value']))
        end.window_keys[number] = work.rkey
        end.window_regions[number] = region
        end.window_binds[number] += 1
        end.name_key(number)
    elif opcode in (e.IBV_WR_RDMA_WRITE, e.IBV_WR_RDMA_WRITE_WITH_IMM, e.IBV_WR_RDMA_READ):
        work.set_wr_rdma(peer.key(request['target']), peer.address(request['target']))
    elif opcode == e.IBV_WR_ATOMIC_FETCH_AND_ADD:
        work.set_wr_atomic(peer.key(request['target']), peer.address(request['target']),
                           request['value'] & 0xFFFFFFFFFFFFFFFF)
    elif opcode == e.IBV_WR_ATOMIC_CMP_AND_SWP:
        work.set_wr_atomic(peer.key(request['target']), peer.address(request['target']),
                           request['expected'] & 0xFFFFFFFFFFFFFFFF, request['value'] & 0xFFFFFFFFFFFFFFFF)
    return work


def send(end, peer, step):
    works = []
    for request in reversed(step['requests']):
        works.append(send_request(end, peer, request, works[-1] if works else None))
    end.queue_pair.post_send(works[-1])
    return f"posted {len(works)}"


def receive(end, peer, step):
    posted = 0
    for number, parts in zip(step['ids'], step['receives']):
        elements = end.elements(parts)
        try:
            end.queue_pair.post_recv(RecvWR(wr_id=number, num_sge=len(elements), sg=elements))
        except PyverbsRDMAError as failure:
            if failure.error_code != errno.ENOMEM:  # the queue is full
                raise
            break
        posted += 1
    if step['kick']:
        attributes = QPAttr()
        attributes.qp_state = e.IBV_QPS_ERR
        end.queue_pair.modify(attributes, e.IBV_QP_STATE)
    return f'posted {posted}'


def renew_queue(end, peer, step):
    end.queues[step['queue']].close()
    end.queues[step['queue']] = end.new_queue()
    return 'done'


def renew_region(end, peer, step):
    end.regions[step['region']].close()
    end.regions[step['region']] = end.new_region(step['region'])
    return 'done'


def renew_window(end, peer, step):
    number = step['window']
    end.windows[number].close()
    end.windows[number] = end.new_window(number)
    end.window_keys[number] = end.windows[number].rkey
    end.window_regions[number] = 0
    end.window_generations[number] += 1
    end.window_binds[number] = 0
    end.name_key(number)
    return 'done'


def close_queue_pair(end, peer, step):
    end.close_queue_pair()
    return 'done'


def create_queue_pair(end, peer, step):
    if end.queue_pair is None:
        end.create()
    return 'done'


def resize(end, peer, step):
    end.queues[step['queue']].resize(step['entries'])
    return 'done'


def nothing(end, peer, step):
    return 'done'


ACTIONS = {'modify': modify, 'send': send, 'receive': receive, 'renewQueue': renew_queue,
           'renewRegion': renew_region, 'renewWindow': renew_window, 'closeQueuePair': close_queue_pair,
           'createQueuePair': create_queue_pair, 'resize': resize, 'nothing': nothing}


def take(walk):
    ends = [End(number, walk) for number in range(2)]
    try:
        for step in walk['steps']:
            yield take_step(ends, step)
    finally:
        for end in ends:
            end.close()


def take_step(ends, step):
    end, peer = ends[step['side']], ends[1 - step['side']]
    try:
        outcome = ACTIONS[step['do']](end, peer, step)
    except PyverbsRDMAError as failure:
        outcome = errno.errorcode[failure.error_code]
    arrived = [[] for _ in range(4)]
    deadline = time.monotonic() + LIMIT
    while True:
        for index in range(4):
            owner = ends[index // 2]
            _, completions = owner.queues[index % 2].poll(64)
            for wc in completions:
                arrived[index].append([wc.wr_id, owner.numbers.get(wc.qp_num, 0), wc.status, wc.opcode, wc.byte_len,
                                       wc.wc_flags, data(owner, wc)])
        states = [each.state() for each in ends]
        memory = ends[0].memory() + ends[1].memory()
        seen = ([len(completions) for completions in arrived], states, memory)
        same = seen == (step['arrivals'], step['states'], step['memory'])
        if same or time.monotonic() > deadline:
            break
        time.sleep(0.0005)
    return same, {'outcome': outcome, 'arrived': arrived, 'states': states, 'memory': memory}


def data(end, wc):
    """Returns immediate data, or the name of the invalidated key."""
    if wc.wc_flags & e.IBV_WC_WITH_IMM:
        return socket.ntohl(wc.imm_data)
    return end.key_names.get(wc.imm_data, 0)


def main():
    with open(sys.argv[1], encoding='utf-8') as walks, open(sys.argv[2], 'w', encoding='utf-8') as results:
        for line in walks:
            for same, result in take(json.loads(line)):
                json.dump(result, results, separators=(',', ':'))
                results.write('\n')
                if not same:
                    return  # later steps would differ, too


main()
