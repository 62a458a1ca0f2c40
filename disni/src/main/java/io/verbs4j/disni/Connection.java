// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import io.verbs4j.QueuePair;
import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.MemorySegment;

/// A queue pair, with the objects that posting reuses. The lists are used only within a batch. The batch's lock guards
/// the lists.
final class Connection {
    final QueuePair queuePair;
    final ScatterGatherList sendList = new ScatterGatherList();
    final ScatterGatherList receiveList = new ScatterGatherList();
    /// Memory in which inline data of several elements is gathered.
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
