// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.spi.ProviderSharedReceiveQueue;
import io.verbs4j.spi.SharedReceiveQueueRequest;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.RingReading;
import java.util.List;
import java.util.Optional;

/// A queue of receives that serves many queue pairs. Thread-safe.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_srq.3.html">ibv_create_srq(3)</a>
public final class SharedReceiveQueue extends VerbsObject {
    private final ProtectionDomain domain;
    private final ProviderSharedReceiveQueue provider;
    private final long userHandle;
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

    static SharedReceiveQueue of(
            ProtectionDomain domain, int maxWorkRequests, int maxScatterGather, Rollback rollback) {
        long userHandle = domain.context().handles().reserve(rollback);
        var request = new SharedReceiveQueueRequest(
                domain.provider(), userHandle, maxWorkRequests, maxScatterGather, 0);
        ProviderSharedReceiveQueue created = rollback.make(
                () -> domain.context().provider().createSharedReceiveQueue(request),
                ProviderSharedReceiveQueue::destroy);
        return new SharedReceiveQueue(domain, created, userHandle);
    }

    /// Returns the protection domain that the queue belongs to.
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    /// Returns the device's number for the queue.
    public int number() {
        return provider.number();
    }

    /// Returns the number of receives that the queue can hold. It may be higher than the requested number.
    public int capacity() {
        return provider.receiveOps().capacity();
    }

    /// Starts a batch of receives. The batch holds the queue's lock. This thread must submit or close the batch.
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
    /// @return the number of posted receives; if the queue is full, only the first ones are posted
    /// @throws io.verbs4j.types.InvalidWorkRequestException if a receive is not valid; in this case, none is posted
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_srq_recv.3.html">ibv_post_srq_recv(3)</a>
    public int postReceives(List<ReceiveWorkRequest> requests) {
        return lock.postAll(
                this::beginReceive, requests, ReceiveBatch::receive, ReceiveBatch::submit, ReceiveBatch::close);
    }

    /// Changes the queue's capacity. The queue keeps its receives. Waits for batches of other threads, as [#close()]
    /// does.
    ///
    /// @param maxWorkRequests at least 1, and at least the number of receives in the queue; at most
    ///     [io.verbs4j.types.DeviceAttributes#maxSharedReceiveQueueWorkRequests()]
    /// @throws io.verbs4j.types.VerbsException `EINVAL` if the queue contains more receives, or the armed limit is
    ///     higher. On Linux 6.1, any other failure, such as `ENOMEM`, leaves the queue without a ring, so that the
    ///     queue can only be closed. Close its queue pairs at once, because a message for one of them crashes the
    ///     kernel
    /// @throws IllegalStateException if this thread has a batch of the queue open
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

    /// Requests one event when the queue contains fewer than `limit` receives
    /// ([io.verbs4j.types.AsyncEventType#SRQ_LIMIT_REACHED]).
    ///
    /// @param limit at most the queue's capacity; 0 disarms
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_modify_srq.3.html">ibv_modify_srq(3)</a>
    public void armLimit(int limit) {
        Ranges.check("limit", limit, 0, Integer.MAX_VALUE);
        whileOpen(() -> provider.armLimit(limit));
    }

    /// Queries the queue's attributes from the kernel.
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
    /// @param maxWorkRequests receives that the queue can hold
    /// @param maxScatterGather scatter/gather elements of each receive
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

    /// Reads the ring's state without changing it. Any thread may call this method; the call does not slow down threads
    /// that use the queue.
    ///
    /// @return empty if the provider does not expose its rings
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
