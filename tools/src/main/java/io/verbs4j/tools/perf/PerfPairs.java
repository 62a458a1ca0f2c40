// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.types.GidEntry;
import java.util.List;
import java.util.function.Supplier;

/// The queue pairs of a link, and their connection with the peer's queue pairs.
interface PerfPairs {
    /// Creates the queue pairs of a link.
    @FunctionalInterface
    interface Factory {
        /// Creates queue pairs.
        ///
        /// @param builders supplies a new builder for each queue pair
        /// @param reads maximum number of outstanding reads and atomics
        PerfPairs create(ProtectionDomain domain, Supplier<QueuePairBuilder> builders, int reads);
    }

    /// Returns the source GID.
    GidEntry gid();

    /// Returns the LID; 0 on RoCE.
    int lid();

    /// Returns the number of a queue pair.
    int number(int pair);

    /// Returns the first packet sequence number that a queue pair sends, 24 bits.
    int packetSequenceNumber(int pair);

    /// Returns the Q_Key of datagrams.
    int qkey();

    /// Connects the queue pairs.
    ///
    /// @param peers addresses of the peer's queue pairs
    /// @return the queue pairs, ready to send
    List<QueuePair> connect(List<PerfAddress> peers);
}
