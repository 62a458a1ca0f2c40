// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.tracing.*;
import io.verbs4j.types.*;

void main() {
    try (var _ = Tracing.start(this::show, true);
            var context = Devices.open("rxe0")) {
        var domain = context.allocateProtectionDomain();
        var queue = context.createCompletionQueue(4);
        var memory = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        var one = domain.reliableConnection(queue).prepare();
        var other = domain.reliableConnection(queue).prepare();
        var sender = one.connect(other.endpoint());
        other.connect(one.endpoint());
        try (var batch = sender.beginSend()) {
            batch.workRequestId(0x1122334455L).signaled();
            batch.write().local(memory.slice(0, 64)).remote(memory.remote().slice(64, 64)).post();
            batch.submit();
        }
        while (queue.poll(1, completion -> {}) == 0) {
            Thread.onSpinWait();
        }
    }
}

/// Shows the 48 bytes of a completion.
void show(TraceEntry entry) {
    if (entry.kind() == TraceEntry.Kind.COMPLETION) {
        for (TraceField field : entry.parts().getFirst().fields()) {
            if (field.offset() < 48) {
                IO.println("+%d %s = %s".formatted(field.offset(), field.path(), field.text()));
            }
        }
    }
}
