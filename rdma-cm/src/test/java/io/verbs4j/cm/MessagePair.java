// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.Devices;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.simulator.SimulatedDevice;
import io.verbs4j.simulator.SimulatedNetwork;
import io.verbs4j.simulator.profile.KernelProfile;

/// Two queue pairs of simulated devices, connected with each other. A message that finds no receive fails at once.
/// Therefore a surplus credit would end the connection.
public final class MessagePair implements AutoCloseable {
    private final SimulatedNetwork network = SimulatedNetwork.inRealTime();
    private final Context context;
    private final Context peersContext;
    /// The device of the end `there`.
    final SimulatedDevice thereDevice;
    public final ProtectionDomain domain;
    public final CompletionQueue hereQueue;
    public final CompletionQueue thereQueue;
    public final QueuePair here;
    public final QueuePair there;

    public MessagePair() {
        var host = network.addHost("test", KernelProfile.LINUX_6_12);
        host.addDevice("rxe0");
        thereDevice = host.addDevice("rxe1");
        context = Devices.of(host).getFirst().open();
        peersContext = Devices.of(host).getLast().open();
        domain = context.allocateProtectionDomain();
        hereQueue = queue(context);
        thereQueue = queue(peersContext);
        var left = domain.reliableConnection(hereQueue).rnrRetry(0).prepare();
        var right = peersContext.allocateProtectionDomain().reliableConnection(thereQueue).rnrRetry(0).prepare();
        var endpoint = left.endpoint();
        here = left.connect(right.endpoint());
        there = right.connect(endpoint);
    }

    private static CompletionQueue queue(Context context) {
        return context.createCompletionQueue(
                CompletionQueueOptions.entries(256).withChannel(context.createCompletionChannel()));
    }

    @Override
    public void close() {
        context.close();
        peersContext.close();
        network.close();
    }
}
