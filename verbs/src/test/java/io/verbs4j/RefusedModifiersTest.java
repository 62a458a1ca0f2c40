// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Gid;
import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Modifiers are those of one work request, also if it is refused: on a simulated device.
class RefusedModifiersTest {
    private final FakeDevice device = completing();
    private final Context context = InjectedDevices.open(device);
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final MemoryRegion memory = domain.allocate(8, Access.LOCAL_WRITE);
    private final MemoryRegion readOnly = domain.allocate(8);
    private final RemoteMemory remote = new RemoteMemory(4096, 8, 1);
    private final CompletionQueue queue = context.createCompletionQueue(64);

    @AfterEach
    void close() {
        context.close();
        device.free();
    }

    /// A work request that is refused.
    private interface Refused {
        boolean addTo(SendBatch batch);
    }

    @Test
    void goWithTheSendThatIsRefused() {
        QueuePair queuePair = InjectedDevices.ready(domain.reliableConnection(queue).create());
        MemorySegment tooLong = MemorySegment.ofArray(new byte[1000]);
        var window = domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_1);
        var handle = domain.createAddressHandle(AddressVector.roce(1, 1, new Gid(0, 1)));
        var list = memory.local().addTo(new ScatterGatherList());
        var sixteen = new ScatterGatherList();
        for (int i = 0; i < 16; i++) {
            memory.local().addTo(sixteen);
        }
        List<Refused> all = List.of(
                batch -> batch.send().local(memory, 1, 8).post(),
                batch -> batch.send().local(closedRegion().local()).post(),
                batch -> batch.send().local(sixteen).post(),
                batch -> batch.send().inline(tooLong).post(),
                batch -> batch.send().immediate(1).local(memory, 0, 9).post(),
                batch -> batch.write().local(memory, 0, 8).remote(remote, 1).post(),
                batch -> batch.write().local(list).remote(remote, 1).post(),
                batch -> batch.write().inline(tooLong).remote(remote).post(),
                batch -> batch.read().local(readOnly, 0, 8).remote(remote).post(),
                batch -> batch.read().local(readOnly.local()).remote(remote).post(),
                batch -> batch.compareAndSwap(1, 2).local(memory, 4, Long.BYTES).remote(remote).post(),
                batch -> batch.fetchAndAdd(1).local(0, Long.BYTES, 0).remote(4, 0).post(),
                batch -> batch.atomicWrite(1).remote(remote, 1).post(),
                batch -> batch.flush(FlushType.GLOBAL_VISIBILITY, FlushLevel.RANGE)
                        .remote(new RemoteMemory(0, 1L << 40, 0))
                        .post(),
                batch -> batch.bind(window, 0).local(memory, 4, 8).post(),
                batch -> batch.to(handle, 1, 1).send().local(memory, 0, 8).post(),
                batch -> batch.operation(99).local(0, 8, 0).post());
        for (Refused refused : all) {
            try (SendBatch batch = queuePair.beginSend()) {
                batch.workRequestId(7).signaled();
                assertThatThrownBy(() -> refused.addTo(batch)).isInstanceOf(RuntimeException.class);
                batch.signaled().send().local(memory, 0, 8).post();
                batch.submit();
            }
            assertThat(identifiers(2)).containsExactly(0L);
        }
    }

    @Test
    void goWithTheDatagramThatIsRefused() {
        QueuePair datagrams = InjectedDevices.ready(domain.datagram(queue).create());
        var handle = domain.createAddressHandle(AddressVector.roce(1, 1, new Gid(0, 1)));
        try (SendBatch batch = datagrams.beginSend()) {
            assertThatThrownBy(() -> batch.workRequestId(7).to(handle, 1, 1).send().local(memory, 1, 8).post())
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> batch.send()
                    .local(memory, 0, 8)
                    .post()).hasMessageContaining("needs a destination");
            assertThatThrownBy(() -> batch.workRequestId(7)
                    .to(handle, 1, 1)
                    .write()
                    .local(memory, 0, 8)
                    .remote(remote)
                    .post())
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> batch.send()
                    .local(memory, 0, 8)
                    .post()).hasMessageContaining("needs a destination");
            batch.to(handle, 1, 1).signaled().send().local(memory, 0, 8).post();
            batch.submit();
        }
        assertThat(identifiers(1)).containsExactly(0L);
    }

    @Test
    void goWithTheReceiveThatIsRefused() {
        QueuePair queuePair = InjectedDevices.ready(domain.reliableConnection(queue).create());
        try (ReceiveBatch batch = queuePair.beginReceive()) {
            assertThatThrownBy(() -> batch.workRequestId(7).receive(memory, 1, 8))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> batch.workRequestId(7).receive(readOnly.local()))
                    .isInstanceOf(IllegalArgumentException.class);
            batch.receive(memory.local());
            batch.submit();
        }
        assertThat(queuePair.readReceiveRing().orElseThrow().oldestWorkRequestId()).isZero();
    }

    private static FakeDevice completing() {
        var device = new FakeDevice();
        device.completeAtDoorbell();
        return device;
    }

    private MemoryRegion closedRegion() {
        MemoryRegion region = domain.allocate(8);
        region.close();
        return region;
    }

    private List<Long> identifiers(int count) {
        var identifiers = new ArrayList<Long>();
        queue.poll(count, completion -> identifiers.add(completion.workRequestId()));
        return identifiers;
    }
}
