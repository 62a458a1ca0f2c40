// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.tracing.*;
import io.verbs4j.types.*;

void main() {
    try (var _ = Tracing.start(this::show, true);
            var context = Devices.open("rxe0")) {
        var domain = context.allocateProtectionDomain();
        var queue = context.createCompletionQueue(100);
        IO.println("asked for 100 completions, the ring holds " + queue.capacity());
        var memory = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        var one = domain.reliableConnection(queue).prepare();
        var other = domain.reliableConnection(queue).prepare();
        var sender = one.connect(other.endpoint());
        other.connect(one.endpoint());

        try (var batch = sender.beginSend()) {
            batch.workRequestId(1).write().local(memory.slice(0, 64)).remote(memory.remote().slice(1024, 64)).post();
            batch.workRequestId(2).signaled().write().local(memory.slice(0, 64))
                    .remote(memory.remote().slice(2048, 64)).post();
            batch.workRequestId(3).signaled().write().local(memory.slice(0, 64))
                    .remote(memory.remote().slice(3072, 64)).post();
            batch.submit();
        }
        for (int count = 0; count < 2; Thread.onSpinWait()) {
            count += queue.poll(1, completion -> IO.println(completion));
        }
    }
}

/// Shows the commands and results of the completion queue.
void show(TraceEntry entry) {
    if (entry.kind() == TraceEntry.Kind.COMPLETION) {
        IO.println("  polled: " + entry.outcome());
    } else if (entry.command().contains("CQ") || entry.arguments().contains("completion ring")) {
        IO.println("  %s(%s)  %s".formatted(entry.command(), entry.arguments(), entry.outcome()).stripTrailing());
    }
}
