// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.Context;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import java.util.concurrent.Callable;

/// For programs that a test starts: each answer is one line of output. Needs nothing but the library.
public final class Probe {
    private Probe() {}

    /// Prints what a call returns or throws.
    public static void ask(String question, Callable<?> call) {
        System.out.println(question + ": " + answer(call));
    }

    private static String answer(Callable<?> call) {
        try {
            return String.valueOf(call.call());
        } catch (Exception e) {
            return e.getClass().getSimpleName() + ": " + e.getMessage();
        }
    }

    /// Writes from a queue pair to itself.
    ///
    /// @return the status of the write
    public static CompletionStatus writeToItself(Context context) {
        try (
                var domain = context.allocateProtectionDomain();
                var queue = context.createCompletionQueue(16);
                var memory = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
                var prepared = domain.reliableConnection(queue).prepare();
                var queuePair = prepared.connect(prepared.endpoint())) {
            try (var batch = queuePair.beginSend()) {
                batch.signaled().write().local(memory, 0, 64).remote(memory.remote(), 64).post();
                batch.submit();
            }
            var status = new CompletionStatus[1];
            long deadline = System.nanoTime() + 5_000_000_000L;
            while (status[0] == null && System.nanoTime() < deadline) {
                queue.poll(1, completion -> status[0] = completion.status());
                Thread.yield();
            }
            return status[0];
        }
    }
}
