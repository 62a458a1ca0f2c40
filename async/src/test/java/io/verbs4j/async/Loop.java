// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.Devices;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;

/// Two connected queue pairs of one simulated device, with a dispatcher each. A message without a receive fails at
/// once.
final class Loop implements AutoCloseable {
    private final SimulatedNetwork network;
    private final Context context;
    final ProtectionDomain domain;
    final AsyncQueuePair here;
    final AsyncQueuePair there;
    private final Dispatcher hereDispatcher;
    private final Dispatcher thereDispatcher;

    /// @param threads whether the dispatchers have threads, or the test polls
    Loop(boolean threads) {
        this(threads, SimulatedNetwork.inRealTime());
    }

    /// @param network closed with the loop
    Loop(boolean threads, SimulatedNetwork network) {
        this.network = network;
        var host = network.addHost("test", KernelProfile.LINUX_6_12);
        host.addDevice("rxe0");
        context = Devices.of(host).getFirst().open();
        domain = context.allocateProtectionDomain();
        hereDispatcher = dispatcher(threads);
        thereDispatcher = dispatcher(threads);
        var left = domain.reliableConnection(hereDispatcher.queue()).rnrRetry(0).prepare();
        var right = domain.reliableConnection(thereDispatcher.queue()).rnrRetry(0).prepare();
        var endpoint = left.endpoint();
        here = AsyncQueuePair.of(hereDispatcher, left.connect(right.endpoint()));
        there = AsyncQueuePair.of(thereDispatcher, right.connect(endpoint));
    }

    private Dispatcher dispatcher(boolean threads) {
        var queue = context.createCompletionQueue(
                CompletionQueueOptions.entries(256).withChannel(context.createCompletionChannel()));
        return threads ? Dispatcher.start(queue, 200) : Dispatcher.of(queue, 200);
    }

    /// Polls for both ends.
    void poll() {
        hereDispatcher.poll();
        thereDispatcher.poll();
    }

    CompletionQueue thereQueue() {
        return thereDispatcher.queue();
    }

    Dispatcher dispatcher() {
        return hereDispatcher;
    }

    @Override
    public void close() {
        here.close();
        there.close();
        hereDispatcher.close();
        thereDispatcher.close();
        context.close();
        network.close();
    }
}
