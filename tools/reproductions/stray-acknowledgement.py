#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rxe completes a read with success although most of its data has not arrived (Linux 6.12 and later).

An acknowledgement of earlier work arrives a second time, between the packets of a read's answer, as in networks that
reorder or duplicate packets. The program makes these packets itself: the first third of the data, the old
acknowledgement, the second third. The completer treats the second third as an error within the answer. It completes
the read with the status that it has so far, which is success (rxe_completer, rxe_comp.c, COMPST_ERROR, with a warning
in the log). Linux 6.1 waits for the rest.

Needs ends.py beside it, pyverbs, and two rxe devices:
    tools/lab run -- python3 tools/reproductions/stray-acknowledgement.py rxe0 10.9.0.1 rxe1 10.9.0.2 veth1
The exit code is 1 if the defect is present, and 0 if not."""
import socket
import struct
import time
import zlib

import enums as e
from ends import PSN, pair, run, sent, silence

MTU = 1024
FIRST, MIDDLE, ACKNOWLEDGE = 13, 14, 17
RAW_SOCKET_PAST_QUEUES = 20  # PACKET_QDISC_BYPASS


def packet(end, source, target, opcode, psn, header=b'', data=b''):
    """Returns a RoCE v2 packet with its IPv4 header: the invariant CRC leaves out what routers change."""
    transport = struct.pack('!BBHII', opcode, 0, 0xffff, end.qp.qp_num, psn) + header + data
    length = 20 + 8 + len(transport) + 4
    ip = [0x45, 0, length, 1, 0x4000, 64, 17, 0, socket.inet_aton(source), socket.inet_aton(target)]
    udp = [49152, 4791, length - 20, 0]
    masked = list(ip)
    masked[1], masked[5], masked[7] = 0xff, 0xff, 0xffff
    invariant = (b'\xff' * 8 + struct.pack('!BBHHHBBH4s4s', *masked) + struct.pack('!HHHH', *udp[:3], 0xffff)
                 + transport[:4] + b'\xff' + transport[5:])
    raw = struct.pack('!BBHHHBBH4s4s', *ip)
    total = sum(struct.unpack('!10H', raw))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    ip[7] = ~total & 0xffff
    return (struct.pack('!BBHHHBBH4s4s', *ip) + struct.pack('!HHHH', *udp) + transport
            + struct.pack('<I', zlib.crc32(invariant)))


def main(left, left_address, right, right_address, interface):
    requester, responder = pair(left, left_address, right, right_address)
    responder.mr.write('x' * 3 * MTU, 3 * MTU)
    requester.write(responder, 4096, 8)
    requester.completions(1)
    acknowledged = struct.pack('!I', 0x1f << 24 | 2)
    with silence(interface):
        before = sent(right)
        requester.read(responder, 3 * MTU, wr_id=2)
        while sent(right) < before + 3:
            time.sleep(0.001)
        wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        wire.bind((interface, 0))
        wire.setsockopt(263, RAW_SOCKET_PAST_QUEUES, 1)
        with open(f'/sys/class/net/{interface.replace("1", "0")}/address') as address:
            frame = bytes.fromhex(address.read().strip().replace(':', '')) + bytes(6) + b'\x08\x00'
        for opcode, psn, header, data in ((FIRST, PSN + 1, acknowledged, b'x' * MTU), (ACKNOWLEDGE, PSN, acknowledged, b''),
                                          (MIDDLE, PSN + 2, b'', b'x' * MTU)):
            wire.send(frame + packet(requester, right_address, left_address, opcode, psn, header, data))
        found = requester.completions(1, seconds=0.5)
    data = requester.mr.read(3 * MTU, 0).count(b'x')
    early = found == [e.IBV_WC_SUCCESS] and data < 3 * MTU
    print(f'completed with success with {data} of {3 * MTU} bytes' if early else 'not completed before its data has come')
    return 1 if early else 0


run(main, __doc__)
