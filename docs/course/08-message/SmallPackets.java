// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.types.*;

void main() throws InterruptedException {
    try (var left = Devices.open("rxe0");
            var right = Devices.open("rxe1")) {
        var leftQueue = left.createCompletionQueue(16);
        var rightQueue = right.createCompletionQueue(16);
        var leftDomain = left.allocateProtectionDomain();
        var rightDomain = right.allocateProtectionDomain();
        var leftMemory = leftDomain.allocate(4096, Access.LOCAL_WRITE);
        var rightMemory = rightDomain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        for (Mtu mtu : Mtu.values()) {
            if (mtu.bytes() > left.port(1).activeMtu().bytes()) {
                continue;
            }
            var one = leftDomain.reliableConnection(leftQueue).pathMtu(mtu).timeout(20).prepare();
            var other = rightDomain.reliableConnection(rightQueue).pathMtu(mtu).prepare();
            var sender = one.connect(other.endpoint());
            other.connect(one.endpoint());
            long before = sent(left);
            sender.post(new SendWorkRequest().write().local(leftMemory.slice(0, 4096)).remote(rightMemory.remote())
                    .signaled());
            while (leftQueue.poll(1, completion -> {}) == 0) {
                Thread.onSpinWait();
            }
            IO.println(mtu + ": " + (sent(left) - before) + " packets");
        }
    }
}

/// Returns a counter. The kernel caches counters for the duration `lifespan`.
long sent(Context context) throws InterruptedException {
    Thread.sleep(context.hardwareCounters(1).lifespan().multipliedBy(2));
    return context.hardwareCounters(1).values().get("sent_pkts");
}
