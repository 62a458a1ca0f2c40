// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.doctor;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.tools.common.ToolException;
import io.verbs4j.types.Access;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Sends a message from one queue pair of a port to another.
final class SelfTest {
    private static final Duration LONGEST = Duration.ofSeconds(10);
    private static final int LENGTH = 64;
    private static final byte MARK = 0x5a;

    private SelfTest() {}

    /// @throws RuntimeException if the message does not arrive
    static void run(Context context, int port) {
        try (
                ProtectionDomain domain = context.allocateProtectionDomain();
                CompletionQueue queue = context.createCompletionQueue(4);
                MemoryRegion memory = domain.allocate(2L * LENGTH, Access.LOCAL_WRITE);
                PreparedQueuePair here = domain.reliableConnection(queue).port(port).prepare();
                PreparedQueuePair there = domain.reliableConnection(queue).port(port).prepare()) {
            memory.segment().asSlice(0, LENGTH).fill(MARK);
            try (var receives = there.beginReceive()) {
                receives.receive(memory, LENGTH, LENGTH);
                receives.submit();
            }
            QueuePair receiver = there.connect(here.endpoint());
            try (receiver; QueuePair sender = here.connect(there.endpoint()); var sends = sender.beginSend()) {
                sends.signaled().send().local(memory, 0, LENGTH).post();
                sends.submit();
                await(queue, 2);
            }
            if (memory.segment().mismatch(memory.segment().asSlice(LENGTH)) != LENGTH) {
                throw new ToolException("the message arrived damaged");
            }
        }
    }

    private static void await(CompletionQueue queue, int count) {
        List<String> failures = new ArrayList<>();
        long start = System.nanoTime();
        for (int completed = 0; completed < count; Thread.onSpinWait()) {
            completed += queue.poll(count, completion -> {
                if (!completion.isSuccess()) {
                    failures.add(completion.toString());
                }
            });
            if (System.nanoTime() - start > LONGEST.toNanos()) {
                throw new ToolException("nothing within " + LONGEST.toSeconds() + " s");
            }
        }
        if (!failures.isEmpty()) {
            throw new ToolException(String.join(", ", failures));
        }
    }
}
