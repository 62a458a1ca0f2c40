// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.simulator;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionRecord;
import io.verbs4j.Context;
import io.verbs4j.Devices;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.Access;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Two reliably connected queue pairs on two devices of a simulated network, through the public API.
final class Conversation implements AutoCloseable {
    private static final int ROOM = 1 << 20;
    private static final long TIMEOUT_NANOS = Duration.ofSeconds(20).toNanos();

    /// One end.
    record End(Context context, CompletionQueue queue, MemoryRegion memory, QueuePair queuePair) {}

    private final SimulatedNetwork network;
    private final boolean virtual;
    final End left;
    final End right;

    /// @param retries up to 7; rxe takes that for endless
    Conversation(SimulatedNetwork network, KernelProfile kernel, boolean virtual, int retries) {
        this.network = network;
        this.virtual = virtual;
        var host = network.addHost("test", kernel);
        host.addDevice("left");
        host.addDevice("right");
        var devices = Devices.of(host);
        var leftContext = devices.get(0).open();
        var rightContext = devices.get(1).open();
        var leftDomain = leftContext.allocateProtectionDomain();
        var rightDomain = rightContext.allocateProtectionDomain();
        var leftQueue = leftContext.createCompletionQueue(256);
        var rightQueue = rightContext.createCompletionQueue(256);
        Access[] all = {Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC,
                Access.MEMORY_WINDOW_BIND};
        var leftMemory = leftDomain.allocate(ROOM, all);
        var rightMemory = rightDomain.allocate(ROOM, all);
        var here = leftDomain.reliableConnection(leftQueue).timeout(10).retryCount(retries).prepare();
        var there = rightDomain.reliableConnection(rightQueue).timeout(10).retryCount(retries).prepare();
        var endpoint = here.endpoint();
        var leftPair = here.connect(there.endpoint());
        var rightPair = there.connect(endpoint);
        left = new End(leftContext, leftQueue, leftMemory, leftPair);
        right = new End(rightContext, rightQueue, rightMemory, rightPair);
    }

    /// Takes completions; a virtual network's time passes in that time.
    List<CompletionRecord> take(End end, int count) {
        var taken = new ArrayList<CompletionRecord>();
        long start = System.nanoTime();
        while (taken.size() < count) {
            end.queue().poll(count - taken.size(), completion -> taken.add(completion.toRecord()));
            if (virtual) {
                network.advance(Duration.ofMillis(1));
            }
            if (System.nanoTime() - start > TIMEOUT_NANOS) {
                throw new AssertionError("only " + taken + " of " + count);
            }
        }
        return taken;
    }

    @Override
    public void close() {
        left.context().close();
        right.context().close();
        network.close();
    }
}
