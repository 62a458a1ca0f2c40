#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A local invalidation completes as flushed although it was executed (Linux 6.1).

It is posted after a write that the peer does not answer. When the retries are exhausted, rxe's completer removes the
write, and runs the requester for the requests behind it (do_complete, rxe_comp.c). Only then does it move the queue
pair to ERR (rxe_qp_error), and flush the executed request. The next connection shows it: the peer's use of the
window's key is refused. On Linux 6.12 the window is still bound.

Needs ends.py beside it, pyverbs, and two rxe devices:
    tools/lab run --kernel 6.1 -- python3 tools/reproductions/flushed-invalidation.py rxe0 10.9.0.1 rxe1 10.9.0.2 veth1
The exit code is 1 if the defect is present, and 0 if not."""
import enums as e
from ends import End, bind, pair, run


def main(left, left_address, right, right_address, _interface):
    End.retries = 1
    reader, owner = pair(left, left_address, right, right_address)
    window, key = bind(owner, 64, e.IBV_ACCESS_REMOTE_READ)
    reader.reset()
    owner.write(reader, 0, 8, wr_id=2)
    owner.invalidate(key, wr_id=3)
    owner.completions(2)
    owner.reset()
    reader.connect(owner)
    owner.connect(reader)
    reader.read(owner, 8, wr_id=4, key=key)
    refused = reader.completions(1) == [e.IBV_WC_REM_ACCESS_ERR]
    print('the window is ' + ('free, though its invalidation was flushed' if refused else 'bound'))
    window.close()
    return 1 if refused else 0


run(main, __doc__)
