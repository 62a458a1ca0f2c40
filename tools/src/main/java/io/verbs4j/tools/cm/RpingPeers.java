// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.cm;

import io.verbs4j.cm.RdmaConnection;
import java.util.HashMap;
import java.util.Map;

/// The peers of connections, from the time when their queue pairs accept receives.
final class RpingPeers {
    private final int bytes;
    private final Map<RdmaConnection, RpingPeer> peers = new HashMap<>();

    RpingPeers(int bytes) {
        this.bytes = bytes;
    }

    /// Prepares a connection that is being established.
    void prepare(RdmaConnection connection) {
        peers.put(connection, new RpingPeer(connection, bytes));
    }

    /// Returns and removes the peer of an established connection.
    RpingPeer of(RdmaConnection connection) {
        RpingPeer peer = peers.remove(connection);
        peers.clear();
        if (peer == null) {
            throw new IllegalStateException(connection + " was not prepared");
        }
        return peer;
    }
}
