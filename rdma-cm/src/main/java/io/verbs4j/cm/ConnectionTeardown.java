// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.abi.failure.Rollback;

/// Closes everything that belongs to a connection or a datagram port, in reverse order of creation. The connecting
/// thread uses this object in a try-with-resources statement. Leaving the statement closes everything, unless [#keep()]
/// was called. Any thread may call [#end()]. Concurrent callers wait until everything is closed.
final class ConnectionTeardown extends Rollback {
    private boolean kept;

    @Override
    public void keep() {
        kept = true;
    }

    @Override
    public void close() {
        if (!kept) {
            end();
        }
    }

    /// Closes everything. Idempotent. Another call repeats what has failed.
    synchronized void end() {
        super.close();
    }
}
