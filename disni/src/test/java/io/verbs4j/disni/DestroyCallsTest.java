// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.simulator.junit.SimulatedRdma;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests calls that destroy objects while the objects are in use.
@SimulatedRdma
@Timeout(60)
class DestroyCallsTest {
    private static final int MILLIS = 10_000;
    private static final int RELIABLE = 2;

    private final Calls calls = new Calls();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment out = arena.allocate(16);
    private long channel;
    private long id;
    private long context;

    @BeforeEach
    void resolve() throws IOException {
        MemorySegment address = arena.allocate(Structs.SOCKADDR_BYTES);
        assertThat(Structs.writeAddress(address.address(), new InetSocketAddress("10.9.0.2", 7471))).isTrue();
        channel = calls.connections().createChannel();
        id = calls.connections().createIdentifier(channel);
        calls.connections().resolveAddress(id, address.address(), MILLIS);
        assertThat(calls.connections().awaitEvent(channel, out.address(), out.address() + 8, MILLIS)).isZero();
        context = calls.connections().context(id);
    }

    @AfterEach
    void free() {
        arena.close();
    }

    /// `ibv_destroy_cq` and `ibv_dealloc_pd` return `EBUSY`, and can be called again.
    @Test
    void anObjectInUseIsDestroyedLater() throws IOException {
        ObjectCalls objects = calls.objects();
        long domain = objects.allocateDomain(context);
        long events = objects.createChannel(context);
        long queue = objects.createQueue(context, events, 16, 0);
        long region = objects.register(domain, out.address(), 16, Access.mask(Access.LOCAL_WRITE), out.address(),
                out.address() + 4, out.address() + 8);
        calls.connections().createQueuePair(id, domain, queue, queue, RELIABLE, 8, 8, 0);
        assertThat(objects.destroyChannel(events)).as("closes with its queue").isZero();
        assertThat(objects.destroyQueue(queue)).isEqualTo(Errno.EBUSY);
        assertThat(objects.deallocateDomain(domain)).isEqualTo(Errno.EBUSY);
        assertThat(calls.connections().destroyQueuePair(id)).isZero();
        assertThat(objects.destroyQueue(queue)).isZero();
        assertThat(objects.destroyQueue(queue)).isEqualTo(-1);
        assertThat(objects.deallocateDomain(domain)).as("the region is open").isEqualTo(Errno.EBUSY);
        objects.deregister(region);
        assertThat(objects.deallocateDomain(domain)).isZero();
        assertThat(objects.deallocateDomain(domain)).isEqualTo(-1);
        assertThat(calls.connections().destroyChannel(channel)).isZero();
        assertThat(calls.handles().of(Object.class)).isEmpty();
    }

    /// Destroying the last object closes the devices. An error of this close does not concern the object.
    @Test
    void aDeviceThatCannotBeClosedIsClosedLater() throws IOException {
        calls.objects().allocateDomain(context);
        Context device = calls.handles().get(context, Context.class, "context");
        try (var _ = device.createCompletionQueue(8).beginPoll()) { // this thread cannot close the queue
            assertThat(calls.connections().destroyChannel(channel)).isZero();
            assertThat(device.isClosed()).isFalse();
        }
        assertThat(calls.connections().destroyChannel(calls.connections().createChannel())).isZero();
        assertThat(device.isClosed()).isTrue();
        assertThat(calls.handles().of(Object.class)).isEmpty();
    }
}
