#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A queue pair that is reset while it answers a read continues that answer in its next connection (Linux 6.1).

A read of 8 MiB is outstanding when both ends are reset and connected again. Then the requester writes to memory
without remote write access. A reset leaves resp.res unchanged (rxe_qp_reset, rxe_qp.c), so the responder continues
the old answer when the write arrives (get_req, rxe_resp.c). No access is checked, nothing is written, and the
requester sees success. Linux 6.12 refuses the write.

Needs ends.py beside it, pyverbs, and two rxe devices:
    tools/lab run --kernel 6.1 -- python3 tools/reproductions/interrupted-answer.py rxe0 10.9.0.1 rxe1 10.9.0.2 veth1
The exit code is 1 if the defect is present, and 0 if not."""
import time

import enums as e
from ends import End, run
from pyverbs.mr import MR

LENGTH = 8 << 20
ATTEMPTS = 20


def attempt(left, left_address, right, right_address):
    """Returns the status of the write, or None if the answer was not under way."""
    requester, responder = End(left, left_address), End(right, right_address)
    requester.mr = MR(requester.pd, LENGTH, e.IBV_ACCESS_LOCAL_WRITE)
    responder.mr = MR(responder.pd, LENGTH, e.IBV_ACCESS_LOCAL_WRITE | e.IBV_ACCESS_REMOTE_READ)
    responder.mr.write('x', 1)
    responder.mr.write('x', 1, LENGTH - 1)
    requester.connect(responder)
    responder.connect(requester)
    requester.read(responder, LENGTH)
    while requester.mr.read(1, 0) != b'x':
        time.sleep(0.0001)
    responder.reset()
    requester.reset()
    if requester.mr.read(1, LENGTH - 1) == b'x':
        return None
    responder.connect(requester)
    requester.connect(responder)
    requester.write(responder, 0, 8, wr_id=2)
    return requester.completions(1)[0]


def main(left, left_address, right, right_address, interface):
    for _ in range(ATTEMPTS):
        if attempt(left, left_address, right, right_address) == e.IBV_WC_SUCCESS:
            print('a write to memory that nobody may write to succeeded')
            return 1
    print('the write was refused')
    return 0


run(main, __doc__)
