#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rxe takes some 50 seconds to destroy a queue pair through which a type 2 memory window is bound.

The window holds a reference to the queue pair, which is never dropped. __rxe_cleanup (rxe_pool.c) waits for it until
a timeout, and then frees the queue pair. The window keeps a pointer to freed memory. The destruction should unbind
the window (IBA volume 1, 10.6.7.2.6).

Needs ends.py beside it, pyverbs, and two rxe devices:
    tools/lab run -- python3 tools/reproductions/window-outlives-queue-pair.py rxe0 10.9.0.1 rxe1 10.9.0.2 veth1
The exit code is 1 if the defect is present, and 0 if not."""
import time

import enums as e
from ends import bind, pair, run


def main(left, left_address, right, right_address, _interface):
    owner, _peer = pair(left, left_address, right, right_address)
    window, _key = bind(owner, 64, e.IBV_ACCESS_REMOTE_WRITE)
    start = time.monotonic()
    owner.qp.close()
    seconds = time.monotonic() - start
    print('the queue pair was destroyed ' + ('at once' if seconds < 5 else 'after more than 5 seconds'))
    window.close()
    return 0 if seconds < 5 else 1


run(main, __doc__)
