#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Any queue pair can invalidate a type 2 memory window that another one has bound.

rxe_check_invalidate_mw (rxe_mw.c) does not compare queue pairs. A type 2 window belongs to the queue pair that bound it
(IBA volume 1, 10.6.7.2.4).

Needs ends.py beside it, pyverbs, and two rxe devices:
    tools/lab run -- python3 tools/reproductions/foreign-window.py rxe0 10.9.0.1 rxe1 10.9.0.2 veth1
The exit code is 1 if the defect is present, and 0 if not."""
import enums as e
from ends import bind, pair, run


def main(left, left_address, right, right_address, _interface):
    owner, _peer = pair(left, left_address, right, right_address)
    window, key = bind(owner, 64, e.IBV_ACCESS_REMOTE_WRITE)
    # A second connection on the owner's domain, which has nothing to do with the window.
    first = owner.qp
    owner.qp = owner.queue_pair(e.IBV_QPT_RC)
    owner.connect(owner)
    owner.invalidate(key, wr_id=2)
    status = owner.completions(1)[0]
    print('invalidated through another queue pair' if status == e.IBV_WC_SUCCESS else 'refused')
    window.close()
    first.close()
    return 0 if status != e.IBV_WC_SUCCESS else 1


run(main, __doc__)
