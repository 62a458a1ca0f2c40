// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import io.verbs4j.cm.Identifier;
import io.verbs4j.types.ConnectionParameters;

/// An `rdma_cm_id`.
final class Endpoint {
    final Identifier identifier;
    /// Of the channel.
    final long channel;
    /// What the peer offers, of an identifier that a request has brought; else the most.
    final ConnectionParameters offered;
    /// The handle of the queue pair; 0 for none.
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
