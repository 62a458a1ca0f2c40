// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.tracing.*;
import io.verbs4j.types.*;
import java.time.Duration;

void main() throws Exception {
    try (var _ = Tracing.start(this::show, true);
            var context = Devices.open("rxe0")) {
        var domain = context.allocateProtectionDomain();
        var channel = context.createCompletionChannel();
        var queue = context.createCompletionQueue(CompletionQueueOptions.entries(16).withChannel(channel));
        var memory = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        var one = domain.reliableConnection(queue).prepare();
        var other = domain.reliableConnection(queue).prepare();
        var sender = one.connect(other.endpoint());
        other.connect(one.endpoint());
        var write = new SendWorkRequest().write().local(memory.slice(0, 64)).remote(memory.remote().slice(64, 64))
                .signaled();

        IO.println("arm, then post two");
        queue.requestNotification(false);
        sender.post(write.workRequestId(1), write.workRequestId(2));

        IO.println("wait for the event");
        var ready = channel.take(Duration.ofSeconds(10));
        IO.println("it is of our queue: " + (ready == queue));

        IO.println("arm again, then poll until both are there");
        queue.requestNotification(false);
        for (int count = 0; count < 2; Thread.onSpinWait()) {
            count += queue.poll(16, completion -> IO.println("completed: " + completion.workRequestId()));
        }
    }
}

void show(TraceEntry entry) {
    if (entry.kind() == TraceEntry.Kind.EVENT
            || entry.command().matches(".*(REQ_NOTIFY|COMP_CHANNEL|POST_SEND).*")) {
        IO.println("  %s(%s)  %s".formatted(entry.command(), entry.arguments(), entry.outcome()).stripTrailing());
    }
}
