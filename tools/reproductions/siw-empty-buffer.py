#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""siw follows a null pointer when a send has an empty buffer with data behind it.

siw_check_sgl_tx (siw_qp_tx.c) looks up memory for buffers with bytes only ("do not check stag for a zero length sge"); siw_tx_hdt then
reads wqe->mem[] of each buffer, also of the empty one, where it finds null. The kernel stops, or kills its sending thread.

Stops the machine: give it a guest of its own. Needs pyverbs, and two siw devices whose interfaces reach each other:
    tools/lab run --siw -- python3 tools/reproductions/siw-empty-buffer.py 10.9.1.1 10.9.1.2
Exit code 0 if the defect is not there; with it there is no end."""
import sys
import threading
import time

import pyverbs.enums as e
from pyverbs.cmid import CMID, AddrInfo
from pyverbs.qp import QPCap, QPInitAttr
from pyverbs.wr import SGE, SendWR

PORT = '7471'


def capabilities():
    return QPInitAttr(qp_type=e.IBV_QPT_RC, cap=QPCap(4, 4, 3, 1), sq_sig_all=1)


def serve(address, ready, received):
    listener = CMID(creator=AddrInfo(src=address, src_service=PORT, port_space=e.RDMA_PS_TCP, flags=e.RAI_PASSIVE),
                    qp_init_attr=capabilities())
    listener.listen()
    ready.set()
    peer = listener.get_request()
    memory = peer.reg_msgs(4096)
    peer.post_recv(memory)
    peer.accept()
    received.append(peer.get_recv_comp().byte_len)


def main(left, right):
    ready, received = threading.Event(), []
    threading.Thread(target=serve, args=(right, ready, received), daemon=True).start()
    ready.wait(30)
    client = CMID(creator=AddrInfo(src=left, dst=right, dst_service=PORT, port_space=e.RDMA_PS_TCP),
                  qp_init_attr=capabilities())
    client.connect()
    memory = client.reg_msgs(4096)
    buffers = [SGE(memory.buf, 50, memory.lkey), SGE(memory.buf, 0, memory.lkey), SGE(memory.buf, 250, memory.lkey)]
    print('posting 50 bytes, none, and 250 bytes', flush=True)
    client.qp.post_send(SendWR(wr_id=1, num_sge=3, sg=buffers, send_flags=e.IBV_SEND_SIGNALED))
    deadline = time.monotonic() + 10
    while not received and time.monotonic() < deadline:
        time.sleep(0.1)
    print(f'received {received[0]} bytes' if received else 'nothing was received in 10 s')
    return 0 if received == [300] else 1


if len(sys.argv) != 3:
    sys.exit(__doc__)
sys.exit(main(*sys.argv[1:]))
