// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.types.*;
import java.util.*;
import java.util.concurrent.locks.LockSupport;

void main() {
    try (var context = Devices.open("rxe0")) {
        var domain = context.allocateProtectionDomain();
        var queue = context.createCompletionQueue(64);
        var memory = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        var mine = memory.slice(0, 64);

        IO.println("1. a write with a wrong key");
        var wrong = new RemoteMemory(memory.address(), 64, memory.remoteKey() ^ 0x100);
        play(domain, queue, 64, new SendWorkRequest().write().local(mine).remote(wrong), new SendWorkRequest().send()
                .local(mine));

        IO.println("2. a message longer than its receive");
        play(domain, queue, 10, new SendWorkRequest().send().local(mine));

        IO.println("3. a message without a receive");
        play(domain, queue, 0, new SendWorkRequest().send().local(mine));
    }
}

/// Returns the state in the kernel. A queue pair enters ERR shortly after its failed completion appears.
QueuePairState state(QueuePair pair) {
    var state = pair.state();
    for (int i = 0; i < 100 && state != QueuePairState.ERR; i++) {
        LockSupport.parkNanos(1_000_000);
        state = pair.query(QueuePairAttribute.STATE).state();
    }
    return state;
}

/// Connects two queue pairs, posts, and shows the outcome.
void play(ProtectionDomain domain, CompletionQueue queue, int receiveBytes, SendWorkRequest... requests) {
    var one = domain.reliableConnection(queue).rnrRetry(1).minRnrTimer(1).prepare();
    var other = domain.reliableConnection(queue).rnrRetry(1).minRnrTimer(1).prepare();
    var buffer = domain.allocate(4096, Access.LOCAL_WRITE);
    int expected = requests.length;
    if (receiveBytes > 0) {
        try (var receives = other.beginReceive()) {
            receives.workRequestId(100).receive(buffer, 0, receiveBytes);
            receives.submit();
        }
        expected++;
    }
    try (var sender = one.connect(other.endpoint());
            var receiver = other.connect(one.endpoint())) {
        var posts = new ArrayList<SendWorkRequest>();
        for (int i = 0; i < requests.length; i++) {
            posts.add(requests[i].workRequestId(i + 1).signaled());
        }
        sender.post(posts);
        var lines = new TreeMap<Long, String>(); // completions of two queue pairs come in any order
        while (lines.size() < expected) {
            queue.poll(1, completion -> lines.put(completion.workRequestId(), completion.status().toString()));
        }
        lines.forEach((id, text) -> IO.println("   " + id + ": " + text));
        IO.println("   sender: " + state(sender) + ", receiver: " + state(receiver));
    }
}
