// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import io.verbs4j.cm.Identifier;
import io.verbs4j.types.ConnectionParameters;

/// An `rdma_cm_id`.
final class Endpoint {
    final Identifier identifier;
    /// The handle of the event channel.
    final long channel;
    /// For an identifier created by a request, the parameters that the peer offers; otherwise the largest values.
    final ConnectionParameters offered;
    /// The handle of the queue pair; 0 if there is none.
    volatile long queuePair;

    Endpoint(Identifier identifier, long channel, ConnectionParameters offered) {
        this.identifier = identifier;
        this.channel = channel;
        this.offered = offered;
    }

    @Override
    public String toString() {
        return "identifier " + identifier;
    }
}
