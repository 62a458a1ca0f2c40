// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.tracing.*;
import io.verbs4j.types.*;

void main() {
    try (var _ = Tracing.start(this::show, true);
            var context = Devices.open("rxe0")) {
        var domain = context.allocateProtectionDomain();
        var queue = context.createCompletionQueue(16);
        var memory = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        var one = domain.reliableConnection(queue).maxSends(7).maxReceives(3).prepare();
        var other = domain.reliableConnection(queue).maxSends(3).maxReceives(3).prepare();
        try (var receives = other.beginReceive()) {
            receives.workRequestId(1).receive(memory, 2048, 64);
            receives.submit();
        }
        var sender = one.connect(other.endpoint());
        other.connect(one.endpoint());
        for (int round = 0; round < 3; round++) {
            IO.println("round " + round);
            try (var batch = sender.beginSend()) {
                for (int i = 0; i < 3; i++) {
                    batch.workRequestId(i).write().local(memory.slice(0, 64)).remote(memory.remote().slice(1024, 64))
                            .post();
                }
                batch.workRequestId(10 + round).signaled()
                        .write().local(memory.slice(0, 64)).remote(memory.remote().slice(1024, 64)).post();
                batch.submit();
            }
            while (queue.poll(1, completion -> {}) == 0) {
                Thread.onSpinWait();
            }
        }
    }
}

/// Shows rings: how they are mapped, written and read, and the doorbell.
void show(TraceEntry entry) {
    switch (entry.kind()) {
        case MAP -> IO.println("map: " + entry.arguments());
        case POST, COMPLETION ->
            IO.println("  %s, %s: %s".formatted(entry.verb(), entry.command(), entry.arguments()));
        case COMMAND -> {
            if (entry.command().endsWith("POST_SEND")) {
                IO.println("  doorbell: " + entry.transport() + " of " + entry.result() + " bytes");
            }
        }
        default -> {}
    }
}
