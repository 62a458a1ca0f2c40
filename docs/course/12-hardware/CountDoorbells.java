// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.tracing.*;
import io.verbs4j.types.*;
import java.util.concurrent.atomic.AtomicInteger;

void main() {
    var calls = new AtomicInteger();
    try (var _ = Tracing.start(entry -> calls.incrementAndGet(), false);
            var context = Devices.open("rxe0")) {
        var domain = context.allocateProtectionDomain();
        var queue = context.createCompletionQueue(64);
        var memory = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        var one = domain.reliableConnection(queue).maxSends(40).prepare();
        var other = domain.reliableConnection(queue).prepare();
        var sender = one.connect(other.endpoint());
        other.connect(one.endpoint());

        int before = calls.get();
        for (int i = 0; i < 16; i++) {
            try (var batch = sender.beginSend()) {
                batch.write().local(memory.slice(0, 64)).remote(memory.remote().slice(1024, 64)).post();
                batch.submit();
            }
        }
        IO.println("16 batches of one: " + (calls.get() - before) + " system calls");
        before = calls.get();
        try (var batch = sender.beginSend()) {
            for (int i = 0; i < 15; i++) {
                batch.write().local(memory.slice(0, 64)).remote(memory.remote().slice(1024, 64)).post();
            }
            batch.signaled().write().local(memory.slice(0, 64)).remote(memory.remote().slice(1024, 64)).post();
            batch.submit();
        }
        while (queue.poll(1, completion -> {}) == 0) {
            Thread.onSpinWait();
        }
        IO.println("a batch of 16 and its completion: " + (calls.get() - before) + " system calls");
    }
}
