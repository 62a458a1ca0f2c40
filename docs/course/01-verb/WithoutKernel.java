// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.tracing.*;
import java.util.concurrent.atomic.AtomicInteger;

void main() {
    var calls = new AtomicInteger();
    try (var _ = Tracing.start(entry -> calls.incrementAndGet(), false);
            var context = Devices.open("rxe0");
            var queue = context.createCompletionQueue(100)) {
        int before = calls.get();
        for (int i = 0; i < 1000; i++) {
            queue.poll(16, completion -> IO.println(completion));
        }
        IO.println("1000 polls made " + (calls.get() - before) + " system calls");
    }
}
