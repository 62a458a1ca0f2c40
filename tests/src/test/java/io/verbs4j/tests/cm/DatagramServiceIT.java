// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionRecord;
import io.verbs4j.Context;
import io.verbs4j.GlobalRouteHeader;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.cm.CmEvent;
import io.verbs4j.cm.EventChannel;
import io.verbs4j.cm.Identifier;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.types.Access;
import io.verbs4j.types.ConnectionParameters;
import io.verbs4j.types.DatagramPath;
import io.verbs4j.types.PortSpace;
import io.verbs4j.types.PrivateData;
import io.verbs4j.types.QueuePairState;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Datagrams to a destination resolved by the connection manager. Address handle, queue pair number and Q_Key come from
/// its event.
@DeviceTest
@Needs.EachKernel
class DatagramServiceIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int BYTES = 512;

    /// A datagram queue pair of an identifier's device.
    private static final class Port implements AutoCloseable {
        final Context context;
        final ProtectionDomain domain;
        final CompletionQueue queue;
        final MemoryRegion memory;
        final QueuePair queuePair;

        Port(Identifier identifier) {
            context = identifier.device().orElseThrow().open();
            domain = context.allocateProtectionDomain();
            queue = context.createCompletionQueue(16);
            memory = domain.allocate(BYTES, Access.LOCAL_WRITE);
            queuePair = domain.datagram(queue).create();
            queuePair.modify(identifier.attributes(QueuePairState.INIT));
            try (var batch = queuePair.beginReceive()) {
                batch.workRequestId(1).receive(memory, 0, BYTES);
                batch.submit();
            }
            queuePair.modify(identifier.attributes(QueuePairState.RTR));
            queuePair.modify(identifier.attributes(QueuePairState.RTS));
        }

        CompletionRecord next() {
            List<CompletionRecord> completions = new ArrayList<>();
            long end = System.nanoTime() + LONG.toNanos();
            while (completions.isEmpty() && System.nanoTime() < end) {
                queue.poll(1, completion -> completions.add(completion.toRecord()));
                Thread.onSpinWait();
            }
            return completions.getFirst();
        }

        @Override
        public void close() {
            context.close();
        }
    }

    private static CmEvent next(EventChannel channel) throws InterruptedException {
        return channel.await(LONG).orElseThrow();
    }

    @Test
    void findsTheWay() throws Exception {
        InetSocketAddress address = CmAddress.right();
        try (
                var serving = EventChannel.open();
                var asking = EventChannel.open()) {
            Identifier listener = serving.create(PortSpace.UDP);
            listener.bind(address);
            listener.listen(4);
            Identifier client = asking.create(PortSpace.UDP);
            client.resolveAddress(null, address, LONG);
            assertThat(next(asking)).isInstanceOf(CmEvent.AddressResolved.class);
            client.resolveRoute(LONG);
            assertThat(next(asking)).isInstanceOf(CmEvent.RouteResolved.class);
            client.connect(ConnectionParameters.DEFAULT.withPrivateData(PrivateData.of("where are you?")));
            var request = (CmEvent.ConnectRequest) next(serving);
            assertThat(request.privateData().text()).isEqualTo("where are you?");
            try (
                    var there = new Port(request.incoming());
                    var here = new Port(client)) {
                request.incoming()
                        .accept(ConnectionParameters.DEFAULT
                                .withQueuePairNumber(there.queuePair.number())
                                .withPrivateData(PrivateData.of("here")));
                DatagramPath path = ((CmEvent.DatagramsEstablished) next(asking)).path();
                assertThat(path.queuePairNumber()).isEqualTo(there.queuePair.number());
                assertThat(path.privateData().text()).isEqualTo("here");
                here.memory.segment().setString(256, "a datagram");
                try (var handle = here.domain.createAddressHandle(path.path())) {
                    try (var batch = here.queuePair.beginSend()) {
                        batch.signaled()
                                .workRequestId(2)
                                .to(handle, path.queuePairNumber(), path.qkey())
                                .send()
                                .local(here.memory, 256, 64)
                                .post();
                        batch.submit();
                    }
                    assertThat(here.next().isSuccess()).isTrue();
                }
                CompletionRecord received = there.next();
                assertThat(received.isSuccess()).isTrue();
                assertThat(there.memory.segment().getString(GlobalRouteHeader.BYTES)).isEqualTo("a datagram");
            }
        }
    }
}
