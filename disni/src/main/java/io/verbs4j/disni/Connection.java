// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import io.verbs4j.QueuePair;
import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.MemorySegment;

/// A queue pair, with what posting needs each time. The lists are used within a batch only, whose lock guards them.
final class Connection {
    final QueuePair queuePair;
    final ScatterGatherList sendList = new ScatterGatherList();
    final ScatterGatherList receiveList = new ScatterGatherList();
    /// Where inline data of several elements is gathered.
    final MemorySegment inline;

    Connection(QueuePair queuePair) {
        this.queuePair = queuePair;
        this.inline = MemorySegment.ofArray(new byte[queuePair.capabilities().maxInlineData()]);
    }

    @Override
    public String toString() {
        return queuePair.toString();
    }
}
