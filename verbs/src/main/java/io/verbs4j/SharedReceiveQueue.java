// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.command.Made;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.RingReading;
import java.util.List;
import java.util.Optional;

/// Receives that many queue pairs take from. Thread-safe.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_srq.3.html">ibv_create_srq(3)</a>
public final class SharedReceiveQueue extends VerbsObject {
    private final ProtectionDomain domain;
    private final ProviderSharedReceiveQueue provider;
    /// An object, since a close must not need heap to look it up.
    private final Long userHandle;
    private final ReceiveBatch batch;
    private final BatchLock lock;

    private SharedReceiveQueue(ProtectionDomain domain, ProviderSharedReceiveQueue provider, long userHandle) {
        super(List.of(domain));
        this.domain = domain;
        this.provider = provider;
        this.userHandle = userHandle;
        this.lock = new BatchLock("batch of receives on " + this, true);
        this.batch = new ReceiveBatch(this, domain, provider.receiveOps(), lock, () -> {});
        domain.context().handles().put(userHandle, this);
    }

    static SharedReceiveQueue of(ProtectionDomain domain, int maxWorkRequests, int maxScatterGather) {
        long userHandle = domain.context().handles().reserve();
        var request = new SharedReceiveQueueRequest(
                domain.provider(), userHandle, maxWorkRequests, maxScatterGather, 0);
        return Made.keep(
                () -> domain.context().provider().createSharedReceiveQueue(request),
                created -> new SharedReceiveQueue(domain, created, userHandle),
                created -> {
                    domain.context().handles().remove(userHandle);
                    created.destroy();
                });
    }

    /// The protection domain that it belongs to.
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    /// The device's number for the queue.
    public int number() {
        return provider.number();
    }

    /// Receives that it can hold; at least what was asked for.
    public int capacity() {
        return provider.receiveOps().capacity();
    }

    /// Starts a batch of receives. It holds the queue's lock and must be submitted or closed, by the same thread.
    ///
    /// @return the same object each time
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_srq_recv.3.html">ibv_post_srq_recv(3)</a>
    public ReceiveBatch beginReceive() {
        requireOpen();
        lock.lock();
        try {
            requireOpen();
            batch.begin();
        } catch (RuntimeException | Error e) {
            lock.unlock();
            throw e;
        }
        return batch;
    }

    /// Posts receives.
    ///
    /// @return how many were posted; fewer than given if the queue is full, and then the first ones
    /// @throws io.verbs4j.types.InvalidWorkRequestException if one is not valid; then none is posted
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_srq_recv.3.html">ibv_post_srq_recv(3)</a>
    public int postReceives(List<ReceiveWorkRequest> requests) {
        return ReceiveBatch.post(this::beginReceive, lock, requests);
    }

    /// Makes the queue larger or smaller; receives that wait are kept.
    ///
    /// @param maxWorkRequests at least as many as wait now
    /// @throws io.verbs4j.types.VerbsException `EINVAL` if more wait, or the armed limit is higher. Another failure, such as
    ///     `ENOMEM`, leaves no ring on Linux 6.1: this queue then only closes, and a message that arrives for one of its queue
    ///     pairs before those are closed stops the machine
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_modify_srq.3.html">ibv_modify_srq(3)</a>
    public void resize(int maxWorkRequests) {
        Ranges.check(
                "maxWorkRequests",
                maxWorkRequests,
                1,
                domain.context().attributes().maxSharedReceiveQueueWorkRequests());
        stopDataPath();
        try {
            lock.requireIdle();
            whileOpen(() -> provider.resize(maxWorkRequests));
        } finally {
            resumeDataPath();
        }
    }

    /// Asks for one event when fewer than `limit` receives wait ([io.verbs4j.types.AsyncEventType#SRQ_LIMIT_REACHED]).
    ///
    /// @param limit at most the queue's capacity; 0 disarms
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_modify_srq.3.html">ibv_modify_srq(3)</a>
    public void armLimit(int limit) {
        Ranges.check("limit", limit, 0, Integer.MAX_VALUE);
        whileOpen(() -> provider.armLimit(limit));
    }

    /// Returns what the kernel says of the queue.
    ///
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_query_srq.3.html">ibv_query_srq(3)</a>
    public Attributes query() {
        return whileOpen(() -> {
            var attributes = provider.query();
            return new Attributes(attributes.maxWorkRequests(), attributes.maxScatterGather(), attributes.limit());
        });
    }

    /// Attributes of a shared receive queue.
    ///
    /// @param maxWorkRequests receives that it can hold
    /// @param maxScatterGather scatter/gather elements of each
    /// @param limit the armed limit, 0 for none
    public record Attributes(int maxWorkRequests, int maxScatterGather, int limit) {}

    @Override
    void stopDataPath() {
        lock.lockFor(this);
    }

    @Override
    void resumeDataPath() {
        lock.unlock();
    }

    /// Looks at the ring without touching it, from any thread, also while others use the queue. Costs who uses it nothing.
    ///
    /// @return empty if the provider does not show its rings
    /// @throws IllegalStateException if the queue is closed
    public Optional<RingReading> readRing() {
        return whileOpen(() -> Optional.ofNullable(provider.readRing()));
    }

    ProviderSharedReceiveQueue provider() {
        return provider;
    }

    @Override
    void requireNoBatchHere() {
        lock.requireNotHere();
    }

    @Override
    ClosingOrder closingOrder() {
        return ClosingOrder.SHARED_RECEIVE_QUEUE;
    }

    @Override
    void destroy() {
        provider.destroy();
        domain.context().handles().remove(userHandle);
    }

    @Override
    public String toString() {
        return "shared receive queue " + provider.number();
    }
}
