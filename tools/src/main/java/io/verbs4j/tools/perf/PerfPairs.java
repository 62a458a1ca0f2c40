// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.perf;

import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.types.GidEntry;
import java.util.List;
import java.util.function.Supplier;

/// The queue pairs of a link, and how they come to their peers.
interface PerfPairs {
    /// Makes queue pairs.
    @FunctionalInterface
    interface Factory {
        /// Makes them.
        ///
        /// @param builders a new builder for each
        /// @param reads how many reads and atomics are under way at a time
        PerfPairs create(ProtectionDomain domain, Supplier<QueuePairBuilder> builders, int reads);
    }

    /// Returns the GID that datagrams and packets come from.
    GidEntry gid();

    /// Returns the LID; 0 on RoCE.
    int lid();

    /// Returns the number of a queue pair.
    int number(int pair);

    /// Returns the first packet sequence number that a queue pair sends.
    int packetSequenceNumber(int pair);

    /// Returns the Q_Key of datagrams.
    int qkey();

    /// Returns the queue pairs, ready to send.
    ///
    /// @param peers where the peer's are
    List<QueuePair> connect(List<PerfAddress> peers);
}
