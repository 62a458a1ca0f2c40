// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.pingpong;

import io.verbs4j.MemoryRegion;
import io.verbs4j.ReceiveBatch;
import io.verbs4j.tools.common.ToolException;

/// Posts the messages of a ping-pong over a transport. Closing it closes the queue pair.
interface Messages extends AutoCloseable {
    /// Work request identifier of a receive, as in C.
    int RECEIVE_ID = 1;

    /// Work request identifier of a send, as in C.
    int SEND_ID = 2;

    /// Posts one send.
    ///
    /// @return false if the queue is full
    boolean send();

    /// Posts receives.
    ///
    /// @return the number of posted receives
    int receive(int count);

    @Override
    void close();

    /// Posts receives into the whole region.
    ///
    /// @return the number of posted receives
    static int post(ReceiveBatch batch, MemoryRegion memory, int count) {
        int posted = 0;
        while (posted < count && batch.workRequestId(RECEIVE_ID).receive(memory, 0, memory.length())) {
            posted++;
        }
        batch.submit();
        return posted;
    }

    /// Posts all receives before the first exchange.
    ///
    /// @throws ToolException if the queue has room for fewer
    static void fill(ReceiveBatch batch, MemoryRegion memory, int depth) {
        requireAll(post(batch, memory, depth), depth);
    }

    /// Throws C's error if fewer receives were posted than required.
    ///
    /// @throws ToolException if fewer receives were posted
    static void requireAll(int posted, int depth) {
        if (posted < depth) {
            throw new ToolException("Couldn't post receive (" + posted + ")");
        }
    }
}
