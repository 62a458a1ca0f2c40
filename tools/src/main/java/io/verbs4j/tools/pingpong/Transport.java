// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePairBuilder;

/// Makes a [PingPong] one of RC, UC or UD.
interface Transport {
    /// Compares what was asked for with what the device can do.
    ///
    /// @throws io.verbs4j.tools.ToolException naming the option that asks too much
    void check(Context context);

    /// Bytes that a receive buffer needs in front of the message.
    int headerBytes();

    /// Starts a queue pair, with what is peculiar to the transport.
    QueuePairBuilder queuePair(ProtectionDomain domain, CompletionQueue queue);

    /// Makes the queue pair ready for the peer, to receive and to send.
    ///
    /// @param memory of [#headerBytes()] and the message
    Messages connect(
            ProtectionDomain domain, PreparedQueuePair prepared, PingPongAddress remote, MemoryRegion memory);

    /// Form in which the program prints its own address.
    default String ownAddress(PingPongAddress own) {
        return own.toString();
    }
}
