// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.GlobalRouteHeader;
import io.verbs4j.MemoryAdvice;
import io.verbs4j.MemoryWindow;
import io.verbs4j.ReceiveWorkRequest;
import io.verbs4j.types.Access;
import io.verbs4j.types.Feature;
import io.verbs4j.types.QueuePairState;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The public operations that may make system calls, each on objects of its own. One that failed can be done again.
public enum Operation {
    ALLOCATE_PROTECTION_DOMAIN("Context.allocateProtectionDomain", on -> on.context.allocateProtectionDomain()),
    CREATE_COMPLETION_CHANNEL("Context.createCompletionChannel", on -> on.context.createCompletionChannel()),
    CREATE_COMPLETION_QUEUE("Context.createCompletionQueue", on -> on.context.createCompletionQueue(7)),
    CREATE_COMPLETION_QUEUE_WITH_CHANNEL(
            "Context.createCompletionQueue",
            on -> on.context.createCompletionQueue(CompletionQueueOptions.entries(7).withChannel(on.channel))),
    QUERY_PORT("Context.port", on -> nothing(on.context.port(1))),
    QUERY_GIDS("Context.gids", on -> nothing(on.context.gids())),
    QUERY_GIDS_OF_PORT("Context.gids", on -> nothing(on.context.gids(1))),
    QUERY_GID("Context.gid", on -> nothing(on.context.gid(1, on.gidIndex))),
    QUERY_PKEYS("Context.pkeys", on -> nothing(on.context.pkeys(1))),
    QUERY_PKEY("Context.pkey", on -> nothing(on.context.pkey(1, 0))),
    FIND_PKEY("Context.pkeyIndex", on -> nothing(on.context.pkeyIndex(1, 0xffff))),
    POLL_ASYNC_EVENTS("AsyncEvents.poll", on -> nothing(on.context.asyncEvents().poll())),
    TAKE_ASYNC_EVENTS("AsyncEvents.take", on -> nothing(on.context.asyncEvents().take(Duration.ofMillis(1)))),

    ALLOCATE_MEMORY("ProtectionDomain.allocate", on -> on.domain.allocate(4096, Access.LOCAL_WRITE)),
    REGISTER_MEMORY("ProtectionDomain.register", on -> on.domain.register(on.segment(), Access.LOCAL_WRITE)),
    REGISTER_MEMORY_AT(
            "ProtectionDomain.registerAt", on -> on.domain.registerAt(on.segment(), 0x1000, Access.LOCAL_WRITE)),
    ADVISE(
            "ProtectionDomain.advise",
            Feature.ON_DEMAND_PAGING,
            on -> nothing(() -> on.domain.advise(MemoryAdvice.PREFETCH, true, on.onDemand().local()))),
    PREFETCH(
            "MemoryRegion.prefetch",
            Feature.ON_DEMAND_PAGING,
            on -> nothing(() -> on.onDemand().prefetch(0, 64, true))),
    CHANGE_ACCESS(
            "MemoryRegion.changeAccess",
            Feature.REREGISTER_MEMORY,
            on -> nothing(() -> on.region.changeAccess(Access.LOCAL_WRITE, Access.REMOTE_READ))),
    MOVE_REGION(
            "MemoryRegion.moveTo",
            Feature.REREGISTER_MEMORY,
            on -> nothing(() -> on.region.moveTo(on.otherDomain))),
    ALLOCATE_WINDOW_OF_TYPE_1(
            "ProtectionDomain.allocateMemoryWindow", on -> on.domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_1)),
    ALLOCATE_WINDOW_OF_TYPE_2(
            "ProtectionDomain.allocateMemoryWindow", on -> on.domain.allocateMemoryWindow(MemoryWindow.Type.TYPE_2)),
    CREATE_ADDRESS_HANDLE("ProtectionDomain.createAddressHandle", on -> on.domain.createAddressHandle(on.path())),
    CREATE_ADDRESS_HANDLE_FOR_A_REPLY(
            "ProtectionDomain.createAddressHandle",
            on -> on.domain.createAddressHandle(new GlobalRouteHeader(on.gid, on.gid, 0, 0, 64, true), 1)),
    CREATE_SHARED_RECEIVE_QUEUE("ProtectionDomain.createSharedReceiveQueue",
            on -> on.domain.createSharedReceiveQueue(7, 1)),

    CREATE_RELIABLE_QUEUE_PAIR("QueuePairBuilder.create", on -> on.domain.reliableConnection(on.queue).create()),
    CREATE_UNRELIABLE_QUEUE_PAIR("QueuePairBuilder.create", on -> on.domain.unreliableConnection(on.queue).create()),
    CREATE_DATAGRAM_QUEUE_PAIR("QueuePairBuilder.create", on -> on.domain.datagram(on.queue).create()),
    CREATE_QUEUE_PAIR_WITH_SHARED_RECEIVE_QUEUE(
            "QueuePairBuilder.create",
            on -> on.domain.reliableConnection(on.queue).sharedReceiveQueue(on.shared).create()),
    PREPARE("QueuePairBuilder.prepare", on -> on.reliable().prepare()),
    CONNECT("PreparedQueuePair.connect", on -> on.connectedTwo()),
    START("PreparedQueuePair.start", on -> on.started()),
    MODIFY("QueuePair.modify", on -> nothing(() -> on.modify(on.fresh, QueuePairState.INIT))),
    RESET("QueuePair.modify", on -> nothing(() -> on.modify(on.queuePair, QueuePairState.RESET))),
    QUERY_QUEUE_PAIR("QueuePair.query", on -> nothing(on.queuePair.query())),
    ATTACH_MULTICAST("QueuePair.attachMulticast", on -> nothing(() -> on.datagrams.attachMulticast(Operands.group(2)))),
    DETACH_MULTICAST("QueuePair.detachMulticast", on -> nothing(() -> on.datagrams.detachMulticast(Operands.group(1)))),
    POST_SENDS("QueuePair.beginSend", on -> nothing(on::send)),
    POST_RECEIVES("QueuePair.postReceives",
            on -> nothing(on.queuePair.postReceives(List.of(ReceiveWorkRequest.into(on.region.local()))))),

    POLL("CompletionQueue.poll", on -> nothing(on.queue.poll(1, _ -> {}))),
    REQUEST_NOTIFICATION("CompletionQueue.requestNotification",
            on -> nothing(() -> on.announced.requestNotification(false))),
    AWAIT("CompletionQueue.await", on -> nothing(on.announced.await(1, _ -> {}, Duration.ofMillis(1)))),
    AWAIT_UNTIL("CompletionQueue.awaitUntil",
            on -> nothing(on.announced.awaitUntil(1, _ -> {}, System.nanoTime() + 1_000_000))),
    TAKE_CHANNEL_EVENT("CompletionChannel.take", on -> nothing(on.channel.take(Duration.ofMillis(1)))),
    RESIZE_COMPLETION_QUEUE("CompletionQueue.resize", on -> nothing(() -> on.queue.resize(200))),
    RESIZE_SHARED_RECEIVE_QUEUE("SharedReceiveQueue.resize", on -> nothing(() -> on.shared.resize(200))),
    ARM_SHARED_RECEIVE_QUEUE("SharedReceiveQueue.armLimit", on -> nothing(() -> on.shared.armLimit(1))),
    QUERY_SHARED_RECEIVE_QUEUE("SharedReceiveQueue.query", on -> nothing(on.shared.query())),
    POST_SHARED_RECEIVES("SharedReceiveQueue.postReceives",
            on -> nothing(on.shared.postReceives(List.of(ReceiveWorkRequest.into(on.region.local()))))),

    CLOSE_PROTECTION_DOMAIN("ProtectionDomain.close", on -> nothing(on.otherDomain::close)),
    CLOSE_REGION("MemoryRegion.close", on -> nothing(on.region::close)),
    CLOSE_WINDOW("MemoryWindow.close", on -> nothing(on.window::close)),
    CLOSE_ADDRESS_HANDLE("AddressHandle.close", on -> nothing(on.handle::close)),
    CLOSE_CHANNEL("CompletionChannel.close", on -> nothing(on.idleChannel::close)),
    CLOSE_COMPLETION_QUEUE("CompletionQueue.close", on -> nothing(on.announced::close)),
    CLOSE_SHARED_RECEIVE_QUEUE("SharedReceiveQueue.close", on -> nothing(on.shared::close)),
    CLOSE_QUEUE_PAIR("QueuePair.close", on -> nothing(on.queuePair::close)),
    CLOSE_QUEUE_PAIR_IN_A_GROUP("QueuePair.close", on -> nothing(on.datagrams::close)),
    CLOSE_CONTEXT("Context.close", on -> nothing(on.context::close));

    /// A step of it.
    private interface Step {
        /// @return what it made, if that must be closed
        @Nullable
        AutoCloseable take(Operands on) throws InterruptedException;
    }

    private static final Set<Operation> CLOSING = Set.of(CLOSE_CONTEXT);

    private final String method;
    private final @Nullable Feature needed;
    private final Step step;

    Operation(String method, Step step) {
        this(method, null, step);
    }

    Operation(String method, @Nullable Feature needed, Step step) {
        this.method = method;
        this.needed = needed;
        this.step = step;
    }

    /// The public method that it calls, as `Class.method`.
    String method() {
        return method;
    }

    /// Returns what a device must have for it, or null.
    @Nullable
    public Feature needed() {
        return needed;
    }

    /// Returns whether the context is closed after it.
    public boolean closesContext() {
        return CLOSING.contains(this);
    }

    /// @return what it made, if that must be closed
    @Nullable
    public AutoCloseable run(Operands on) throws InterruptedException {
        return step.take(on);
    }

    private static @Nullable AutoCloseable nothing(@SuppressWarnings("unused") @Nullable Object answer) {
        return null;
    }

    private static @Nullable AutoCloseable nothing(Runnable action) {
        action.run();
        return null;
    }
}
