// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import io.verbs4j.AddressHandle;
import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.GidSelector;
import io.verbs4j.MemoryRegion;
import io.verbs4j.MemoryWindow;
import io.verbs4j.PreparedQueuePair;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.SendBatch;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.abi.discovery.RdmaSubsystem;
import io.verbs4j.abi.discovery.ResourceKind;
import io.verbs4j.abi.host.Host;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Feature;
import io.verbs4j.types.Gid;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// One object of each kind for an [Operation], in a context of its own.
public final class Operands {
    private static final int QKEY = 0x11111111;

    final Context context;
    final int gidIndex;
    final Gid gid;
    final ProtectionDomain domain;
    /// Nothing depends on it.
    final ProtectionDomain otherDomain;
    final MemoryRegion region;
    private final @Nullable MemoryRegion onDemand;
    final MemoryWindow window;
    final CompletionChannel channel;
    /// Nothing depends on it.
    final CompletionChannel idleChannel;
    final CompletionQueue queue;
    /// Announces its completions by the channel.
    final CompletionQueue announced;
    final SharedReceiveQueue shared;
    /// In RESET.
    final QueuePair fresh;
    /// In INIT.
    final QueuePair queuePair;
    /// Ready to send, and in one multicast group.
    final QueuePair datagrams;
    final AddressHandle handle;
    private final PreparedQueuePair here;
    private final PreparedQueuePair there;
    private final PreparedQueuePair unstarted;

    /// Makes them.
    public Operands(Context context, int gidIndex) {
        this.context = context;
        this.gidIndex = gidIndex;
        gid = context.gid(1, gidIndex).gid();
        domain = context.allocateProtectionDomain();
        otherDomain = context.allocateProtectionDomain();
        region = domain.allocate(4096, Access.LOCAL_WRITE);
        onDemand = context.supports(Feature.ON_DEMAND_PAGING)
                ? domain.allocate(4096, Access.LOCAL_WRITE, Access.ON_DEMAND)
                : null;
        window = domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_1);
        channel = context.createCompletionChannel();
        idleChannel = context.createCompletionChannel();
        queue = context.createCompletionQueue(50);
        announced = context.createCompletionQueue(CompletionQueueOptions.entries(7).withChannel(channel));
        shared = domain.createSharedReceiveQueue(7, 1);
        fresh = domain.reliableConnection(queue).create();
        queuePair = domain.reliableConnection(queue).create();
        modify(queuePair, QueuePairState.INIT);
        datagrams = datagram().prepare().start();
        datagrams.attachMulticast(group(1));
        handle = domain.createAddressHandle(path());
        here = reliable().prepare();
        there = reliable().prepare();
        unstarted = datagram().prepare();
    }

    QueuePairBuilder reliable() {
        return domain.reliableConnection(queue).gid(GidSelector.index(gidIndex));
    }

    private QueuePairBuilder datagram() {
        return domain.datagram(queue).gid(GidSelector.index(gidIndex)).qkey(QKEY);
    }

    AddressVector path() {
        return AddressVector.roce(1, gidIndex, gid);
    }

    MemorySegment segment() {
        return Arena.ofAuto().allocate(4096, 4096);
    }

    MemoryRegion onDemand() {
        return Objects.requireNonNull(onDemand);
    }

    /// An IPv4 group, 239.9.8.0 and the number.
    static Gid group(int number) {
        return new Gid(0, 0x0000_ffff_ef09_0800L | number);
    }

    void modify(QueuePair changed, QueuePairState state) {
        var attributes = QueuePairAttributes.builder().state(state);
        changed.modify((state == QueuePairState.INIT ? attributes.pkeyIndex(0).port(1).access() : attributes).build());
    }

    /// Sends a datagram to itself.
    void send() {
        try (SendBatch batch = datagrams.beginSend()) {
            batch.to(handle, datagrams.number(), QKEY).send().local(region, 0, 64).post();
            batch.submit();
        }
    }

    /// @return what is to be closed
    AutoCloseable connectedTwo() {
        return here.connect(there.endpoint());
    }

    /// Returns in which state the kernel has the queue pair of [#connectedTwo()], whatever its program believes.
    long stateOfConnecting() {
        try (RdmaSubsystem subsystem = Host.current().subsystem()) {
            int device = context.device().index().orElseThrow();
            return subsystem.resources(device, ResourceKind.QUEUE_PAIR)
                    .stream()
                    .filter(pair -> pair.number().equals(OptionalLong.of(here.endpoint().queuePairNumber())))
                    .flatMap(pair -> pair.details().stream())
                    .filter(detail -> detail.name().equals("state"))
                    .findFirst()
                    .orElseThrow()
                    .value();
        }
    }

    /// @return what is to be closed
    AutoCloseable started() {
        return unstarted.start();
    }
}
