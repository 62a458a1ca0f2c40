// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.FlushLevel;
import io.verbs4j.FlushType;
import io.verbs4j.InjectedDevices;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.ReceiveBatch;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendBatch;
import io.verbs4j.SendWorkRequest;
import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Gid;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.WorkRequestOpcode;
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
        QueuePair queuePair = ready(domain.reliableConnection(queue));
        MemorySegment tooLong = MemorySegment.ofArray(new byte[1000]);
        var window = domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_1);
        var handle = domain.createAddressHandle(AddressVector.roce(1, 1, new Gid(0, 1)));
        var list = memory.local().addTo(new ScatterGatherList());
        var sixteen = new ScatterGatherList();
        for (int i = 0; i < 16; i++) {
            memory.local().addTo(sixteen);
        }
        List<Refused> all = List.of(
                batch -> batch.send(memory, 1, 8),
                batch -> batch.send(closedRegion().local()),
                batch -> batch.send(sixteen),
                batch -> batch.sendInline(tooLong),
                batch -> batch.sendWithImmediate(1, memory, 0, 9),
                batch -> batch.rdmaWrite(memory, 0, 8, remote, 1),
                batch -> batch.rdmaWrite(list, remote, 1),
                batch -> batch.rdmaWriteInline(tooLong, remote, 0),
                batch -> batch.rdmaRead(readOnly, 0, 8, remote, 0),
                batch -> batch.rdmaRead(remote, readOnly.local()),
                batch -> batch.compareAndSwap(memory, 4, remote, 0, 1, 2),
                batch -> batch.postAtomic(WorkRequestOpcode.FETCH_AND_ADD, 0, 0, 4, 0, 1, 0),
                batch -> batch.atomicWrite(1, remote, 1),
                batch -> batch.flush(new RemoteMemory(0, 1L << 40, 0), FlushType.GLOBAL_VISIBILITY, FlushLevel.RANGE),
                batch -> batch.bind(window, memory, 4, 8, 0),
                batch -> batch.to(handle, 1, 1).send(memory, 0, 8),
                batch -> batch.post(99, 0, 8, 0, 0, 0, 0));
        for (Refused refused : all) {
            try (SendBatch batch = queuePair.beginSend()) {
                batch.workRequestId(7).signaled();
                assertThatThrownBy(() -> refused.addTo(batch)).isInstanceOf(RuntimeException.class);
                batch.signaled().send(memory, 0, 8);
                batch.submit();
            }
            assertThat(identifiers(2)).containsExactly(0L);
        }
    }

    @Test
    void goWithTheDatagramThatIsRefused() {
        QueuePair datagrams = ready(domain.datagram(queue));
        var handle = domain.createAddressHandle(AddressVector.roce(1, 1, new Gid(0, 1)));
        try (SendBatch batch = datagrams.beginSend()) {
            assertThatThrownBy(() -> batch.workRequestId(7).to(handle, 1, 1).send(memory, 1, 8))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> batch.send(memory, 0, 8)).hasMessageContaining("needs a destination");
            assertThatThrownBy(() -> batch.workRequestId(7).to(handle, 1, 1).rdmaWrite(memory, 0, 8, remote, 0))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> batch.send(memory, 0, 8)).hasMessageContaining("needs a destination");
            batch.to(handle, 1, 1).signaled().send(memory, 0, 8);
            batch.submit();
        }
        assertThat(identifiers(1)).containsExactly(0L);
    }

    @Test
    void goWithTheReceiveThatIsRefused() {
        QueuePair queuePair = ready(domain.reliableConnection(queue));
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

    private static QueuePair ready(QueuePairBuilder builder) {
        QueuePair queuePair = builder.create();
        for (QueuePairState state : List.of(QueuePairState.INIT, QueuePairState.RTR, QueuePairState.RTS)) {
            queuePair.modify(QueuePairAttributes.builder().state(state).build());
        }
        return queuePair;
    }

    private List<Long> identifiers(int count) {
        var identifiers = new ArrayList<Long>();
        queue.poll(count, completion -> identifiers.add(completion.workRequestId()));
        return identifiers;
    }
}
