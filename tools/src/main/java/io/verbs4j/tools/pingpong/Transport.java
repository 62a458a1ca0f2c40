// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePairBuilder;

/// The part of a [PingPong] that depends on the transport: RC, UC or UD.
interface Transport {
    /// Compares options with the device's limits.
    ///
    /// @throws io.verbs4j.tools.common.ToolException with the option that exceeds a limit
    void check(Context context);

    /// Returns the size of the header before the message in a receive buffer.
    int headerBytes();

    /// Returns a builder of a queue pair with the transport's settings.
    QueuePairBuilder queuePair(ProtectionDomain domain, CompletionQueue queue);

    /// Connects the queue pair with the peer, so that it can receive and send.
    ///
    /// @param memory room for [#headerBytes()] and the message
    Messages connect(
            ProtectionDomain domain, PreparedQueuePair prepared, PingPongAddress remote, MemoryRegion memory);

    /// Returns the text in which the program prints its own address.
    default String ownAddress(PingPongAddress own) {
        return own.toString();
    }
}
