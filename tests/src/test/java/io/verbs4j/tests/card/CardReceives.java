// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.card;

import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.MemorySegment;

/// Receives in the program's memory, which the card forwards to rxe: elements in order, or a linked list if the queue
/// is shared.
final class CardReceives {
    /// Marks identifiers of receives.
    static final long MARK = 1L << 62;

    private static final int END_KEY = 0x100;
    private static final int UNIT = 16;
    private static final int COUNTER = 0xffff;

    /// Number of a shared queue; 0 of a queue pair's own.
    final int number;

    private final ReceiveQueueOps inner;
    private final long buffer;
    private final long record;
    private final int count;
    private final int shift;
    private final ScatterGatherList list = new ScatterGatherList();
    private int taken;
    /// The shared receive that was taken last; its link names the next.
    private int last = -1;

    CardReceives(ReceiveQueueOps inner, long buffer, long record, int count, int shift, int number) {
        this.inner = inner;
        this.buffer = buffer;
        this.record = record;
        this.count = count;
        this.shift = shift;
        this.number = number;
    }

    private MemorySegment element(int index) {
        return CardMemory.at(buffer + ((long) index << shift), 1L << shift);
    }

    private int next() {
        if (number == 0) {
            return taken & count - 1;
        }
        return last < 0 ? 0 : element(last).get(CardMemory.SHORT, 2) & COUNTER;
    }

    /// Forwards posted receives.
    ///
    /// @return whether there were any
    boolean step() {
        int posted = CardMemory.record(record, 0) & COUNTER;
        if ((taken & COUNTER) == posted) {
            return false;
        }
        inner.begin();
        boolean some = false;
        while ((taken & COUNTER) != posted) {
            int index = next();
            MemorySegment element = element(index);
            list.clear();
            for (long at = number == 0 ? 0 : UNIT; at < element.byteSize()
                    && element.get(CardMemory.INT, at + 4) != END_KEY; at += UNIT) {
                list.add(
                        element.get(CardMemory.LONG, at + 8),
                        element.get(CardMemory.INT, at),
                        element.get(CardMemory.INT, at + 4));
            }
            if (inner.receive(MARK | (number == 0 ? taken & COUNTER : index), list) != PostResult.POSTED) {
                break;
            }
            last = index;
            taken++;
            some = true;
        }
        inner.publish();
        return some;
    }

    /// Starts anew, as in RESET.
    void reset() {
        taken = 0;
    }
}
