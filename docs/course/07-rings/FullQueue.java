// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.types.*;

void main() {
    try (var context = Devices.open("rxe0")) {
        var domain = context.allocateProtectionDomain();
        var queue = context.createCompletionQueue(16);
        var memory = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        var one = domain.reliableConnection(queue).maxSends(5).prepare();
        var other = domain.reliableConnection(queue).maxSends(5).prepare();
        var sender = one.connect(other.endpoint());
        other.connect(one.endpoint());
        int added = 0;
        try (var batch = sender.beginSend()) {
            while (batch.write().local(memory.slice(0, 64)).remote(memory.remote().slice(1024, 64)).post()) {
                added++;
            }
            IO.println("asked for 5, there was room for " + added);
        } // not submitted: nothing was posted
        try (var batch = sender.beginSend()) {
            boolean room = batch.write().local(memory.slice(0, 64)).remote(memory.remote().slice(1024, 64)).post();
            IO.println("the next batch finds room: " + room);
        }
    }
}
