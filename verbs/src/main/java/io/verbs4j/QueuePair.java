// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.types.Gid;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.RingReading;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A send queue and a receive queue that together communicate with a peer.
///
/// Thread-safe, with one lock for sends and one for receives. If the queue pair was created
/// [single-threaded][QueuePairBuilder#singleThreaded()], only one thread at a time may send, and only one may receive.
/// Threads that open a batch of sends and a batch of receives simultaneously must all begin the two batches in the same
/// order. Otherwise, the threads may deadlock.
///
/// Closing a queue pair leaves its multicast groups, and closes the [type 2 memory windows][MemoryWindow.Type#TYPE_2]
/// whose last bind went through it.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_create_qp.3.html">ibv_create_qp(3)</a>
public final class QueuePair extends VerbsObject {
    /// The queue pair number of datagrams to a multicast group (IBA vol. 1, 9.8.3.1).
    public static final int MULTICAST_QUEUE_PAIR_NUMBER = 0xffffff;

    private final BoundWindows boundWindows = new BoundWindows(this);
    private final ProtectionDomain domain;
    private final QueuePairType type;
    private final ProviderQueuePair provider;
    private final CompletionQueue sendQueue;
    private final CompletionQueue receiveQueue;
    private final @Nullable SharedReceiveQueue sharedReceiveQueue;
    private final long userHandle;
    private final QueuePairCompletions completions;
    private final MulticastMemberships memberships;
    final QueuePairStates states;
    private final SendBatch sendBatch;
    private final @Nullable ReceiveBatch receiveBatch;
    private final BatchLock sendLock;
    private final BatchLock receiveLock;
    /// The last state that [QueuePairStates] has recorded. Only that class writes the field. The field is in this
    /// class, because each batch reads it, and another object would cost one more load.
    volatile QueuePairState state = QueuePairState.RESET;

    QueuePair(
            ProtectionDomain domain,
            List<? extends VerbsObject> dependencies,
            QueuePairType type,
            ProviderQueuePair provider,
            CompletionQueue sendQueue,
            CompletionQueue receiveQueue,
            @Nullable SharedReceiveQueue sharedReceiveQueue,
            boolean singleThreaded,
            long userHandle) {
        super(dependencies);
        this.domain = domain;
        this.type = type;
        this.provider = provider;
        this.sendQueue = sendQueue;
        this.receiveQueue = receiveQueue;
        this.sharedReceiveQueue = sharedReceiveQueue;
        this.userHandle = userHandle;
        this.completions = new QueuePairCompletions(provider, sendQueue, receiveQueue);
        this.memberships = new MulticastMemberships(this, provider);
        this.states = new QueuePairStates(this, domain, provider);
        this.sendLock = new BatchLock("batch of sends on " + this, !singleThreaded);
        this.sendBatch = new SendBatch(this, domain, provider.sendOps(), type == QueuePairType.UD, sendLock);
        var receiveOps = provider.receiveOps();
        this.receiveLock = new BatchLock("batch of receives on " + this, !singleThreaded && receiveOps != null);
        this.receiveBatch = receiveOps == null ? null
                : new ReceiveBatch(this, domain, receiveOps, receiveLock,
                        receiveLock.isLocking() ? states::flushReceivesIfFailed
                                : states::flushUnlockedReceivesIfFailed);
        domain.context().handles().put(userHandle, this);
        if (type == QueuePairType.UD) {
            domain.retiredHandles().add(this);
        }
    }

    /// Returns the queue pair number, 24 bits, by which peers address the queue pair.
    public int number() {
        return provider.number();
    }

    /// Returns the transport.
    public QueuePairType type() {
        return type;
    }

    /// Returns the protection domain that the queue pair belongs to.
    public ProtectionDomain protectionDomain() {
        return domain;
    }

    /// Returns the completion queue of the sends.
    public CompletionQueue sendCompletionQueue() {
        return sendQueue;
    }

    /// Returns the completion queue of the receives.
    public CompletionQueue receiveCompletionQueue() {
        return receiveQueue;
    }

    /// Returns the shared receive queue, or null if the queue pair has its own receive queue.
    public @Nullable SharedReceiveQueue sharedReceiveQueue() {
        return sharedReceiveQueue;
    }

    /// Returns the capacities of the queue pair's rings. They may be higher than the requested capacities.
    public QueuePairCapabilities capabilities() {
        return provider.capabilities();
    }

    /// Returns the state that this program has last set or queried, or that a connection manager has last reported. The
    /// device may have moved the queue pair to ERR since then, for example after a failed work request.
    /// [#query(QueuePairAttribute...)] queries the kernel.
    public QueuePairState state() {
        return state;
    }

    /// Changes attributes, usually with a new state.
    ///
    /// On mlx5, a reset also waits for the threads that poll the queue pair's completion queues. For a single-threaded
    /// completion queue, the reset counts as a poll.
    ///
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses; for `EINVAL`, the message lists the attributes
    ///     that the transition lacks or does not allow
    /// @throws IllegalArgumentException if the path MTU is larger than the port's active MTU
    /// @throws IllegalStateException if the new state is RESET, and this thread has a batch of the queue pair open, or
    ///     another thread has one open for too long ([VerbsObject#close()])
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_modify_qp.3.html">ibv_modify_qp(3)</a>
    public void modify(QueuePairAttributes attributes) {
        if (attributes.has(QueuePairAttribute.STATE) && attributes.state() == QueuePairState.RESET) {
            requireNoBatchHere();
            completions.stopForReset(this, sendLock, receiveLock);
            try {
                requireIdle();
                boundWindows.reset();
                states.modify(attributes);
                completions.forgetInReset();
            } finally {
                resumeDataPath();
                completions.resumeAfterReset();
            }
        } else {
            states.modify(attributes);
        }
    }

    /// Queries attributes from the kernel; without arguments, all of them.
    ///
    /// @return the attributes that the kernel reports, possibly more than requested
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_query_qp.3.html">ibv_query_qp(3)</a>
    public QueuePairAttributes query(QueuePairAttribute... attributes) {
        int mask = QueuePairAttribute.mask(attributes.length == 0 ? QueuePairAttribute.values() : attributes);
        return states.query(mask);
    }

    /// Records a state to which the kernel has moved the queue pair without a call of [#modify]. A connection manager
    /// needs this method over iWARP, where the kernel itself establishes a connection.
    ///
    /// @param now the new state
    /// @throws IllegalStateException if the queue pair is closed
    public void noteState(QueuePairState now) {
        states.note(now);
    }

    /// Joins a multicast group. The queue pair then receives datagrams that are sent to the group with
    /// [#MULTICAST_QUEUE_PAIR_NUMBER] and this queue pair's Q_Key. Datagram queue pairs only. Idempotent.
    ///
    /// On RoCE v2, the group is an IP multicast address. The network interface must have joined the group, too.
    /// Otherwise, the kernel may drop the group's packets before they reach the driver. Use
    /// [java.net.MulticastSocket#joinGroup(java.net.SocketAddress, java.net.NetworkInterface)] or
    /// `ip address add GROUP dev NETDEV autojoin`.
    ///
    /// @throws io.verbs4j.types.VerbsException if the kernel refuses: `ENOMEM` if the device or the group has too many
    ///     members
    /// @throws IllegalArgumentException if the GID is not that of a multicast group
    /// @throws IllegalStateException if this is not a datagram queue pair, or is closed
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_attach_mcast.3.html">ibv_attach_mcast(3)</a>
    public void attachMulticast(Gid group) {
        memberships.join(group);
    }

    /// Leaves a multicast group. Closing the queue pair leaves all groups.
    ///
    /// @throws io.verbs4j.types.VerbsException `EINVAL` if the queue pair is not a member of the group
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_attach_mcast.3.html">ibv_detach_mcast(3)</a>
    public void detachMulticast(Gid group) {
        memberships.leave(group);
    }

    /// Starts a batch of sends. The batch holds the send lock. This thread must submit or close the batch.
    ///
    /// @return the same object each time
    /// @throws IllegalStateException if the queue pair is closed, or is in RESET, INIT or RTR, or this thread already
    ///     has a batch of sends open
    public SendBatch beginSend() {
        requireOpen();
        sendLock.lock();
        try {
            requireOpen();
            requireReadyToSend();
            sendBatch.begin();
        } catch (RuntimeException | Error e) {
            sendLock.unlock();
            throw e;
        }
        return sendBatch;
    }

    /// Posts work requests, with one doorbell.
    ///
    /// @return the number of posted work requests; if the queue is full, only the first ones are posted
    /// @throws io.verbs4j.types.InvalidWorkRequestException if a work request is not valid; in this case, none is
    ///     posted
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_send.3.html">ibv_post_send(3)</a>
    public int post(List<SendWorkRequest> requests) {
        return sendLock.postAll(
                this::beginSend, requests, SendBatch::post, SendBatch::submit, SendBatch::close);
    }

    /// Posts work requests, with one doorbell.
    ///
    /// @return the number of posted work requests; if the queue is full, only the first ones are posted
    /// @throws io.verbs4j.types.InvalidWorkRequestException if a work request is not valid; in this case, none is
    ///     posted
    public int post(SendWorkRequest... requests) {
        return post(List.of(requests));
    }

    private void requireReadyToSend() {
        QueuePairState now = state;
        if (now == QueuePairState.RESET || now == QueuePairState.INIT || now == QueuePairState.RTR) {
            throw new IllegalStateException(this + " is in " + now + ": sends can be posted from RTS on");
        }
    }

    private void requireReadyToReceive() {
        if (state == QueuePairState.RESET) {
            throw new IllegalStateException(this + " is in RESET: receives can be posted from INIT on");
        }
    }

    /// Starts a batch of receives. The batch holds the receive lock. This thread must submit or close the batch.
    ///
    /// Receives that are posted in ERR complete as flushed. With some drivers, verbs4j flushes these receives, but only
    /// after the program has set ERR or has [queried][#query(QueuePairAttribute...)] the state. The first post after
    /// that also flushes all earlier receives.
    ///
    /// @return the same object each time
    /// @throws IllegalStateException if the queue pair is closed, in RESET, or has a shared receive queue, or if this
    ///     thread already has a batch of receives open
    public ReceiveBatch beginReceive() {
        requireOpen();
        ReceiveBatch batch = receiveBatch;
        if (batch == null) {
            throw new IllegalStateException(this + (sharedReceiveQueue == null
                    ? " has no receive queue: it was created for 0 receives"
                    : " takes its receives from " + sharedReceiveQueue + ": post them there"));
        }
        receiveLock.lock();
        try {
            requireOpen();
            requireReadyToReceive();
            batch.begin();
        } catch (RuntimeException | Error e) {
            receiveLock.unlock();
            throw e;
        }
        return batch;
    }

    /// Posts receives.
    ///
    /// @return the number of posted receives; if the queue is full, only the first ones are posted
    /// @throws io.verbs4j.types.InvalidWorkRequestException if a work request is not valid; in this case, none is
    ///     posted
    /// @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_recv.3.html">ibv_post_recv(3)</a>
    public int postReceives(List<ReceiveWorkRequest> requests) {
        return receiveLock.postAll(
                this::beginReceive, requests, ReceiveBatch::receive, ReceiveBatch::submit, ReceiveBatch::close);
    }

    /// Reads the send ring's state without changing it. Any thread may call this method; the call does not slow down
    /// threads that use the queue.
    ///
    /// @return empty if the provider does not expose its rings
    /// @throws IllegalStateException if the queue pair is closed
    public Optional<RingReading> readSendRing() {
        return whileOpen(() -> Optional.ofNullable(provider.readSendRing()));
    }

    /// Reads the receive ring's state without changing it. Any thread may call this method; the call does not slow down
    /// threads that use the queue.
    ///
    /// @return empty if the provider does not expose its rings, or receives come from a shared receive queue
    /// @throws IllegalStateException if the queue pair is closed
    public Optional<RingReading> readReceiveRing() {
        return whileOpen(() -> Optional.ofNullable(provider.readReceiveRing()));
    }

    /// Waits for other threads' batches by taking their locks. Without locks, such a batch loses its ring and throws.
    @Override
    void stopDataPath() {
        BatchLock.lockAll(this, sendLock, receiveLock);
    }

    private void requireIdle() {
        sendLock.requireIdle();
        receiveLock.requireIdle();
    }

    @Override
    void resumeDataPath() {
        receiveLock.unlock();
        sendLock.unlock();
    }

    @Override
    void requireNoBatchHere() {
        sendLock.requireNotHere();
        receiveLock.requireNotHere();
    }

    /// Runs without a lock of this queue pair: a thread that polls may be waiting for such a lock, because its handler
    /// posts.
    @Override
    void afterDestroy() {
        completions.forget();
        boundWindows.leave();
        if (type == QueuePairType.UD) {
            domain.retiredHandles().remove(this);
        }
    }

    /// Returns whether a send that the device has not taken, or an open batch, may still use an address handle. The
    /// handle can no longer be posted. Never waits: a batch of another thread counts as a user.
    boolean mayName(ProviderAddressHandle handle) {
        if (isClosed()) {
            return false;
        }
        if (!sendLock.tryLock()) {
            return true;
        }
        try {
            return whileOpen(() -> provider.names(handle));
        } catch (IllegalStateException closing) {
            return !isClosed();
        } finally {
            sendLock.unlock();
        }
    }

    @Override
    ClosingOrder closingOrder() {
        return ClosingOrder.QUEUE_PAIR;
    }

    @Override
    void destroy() {
        memberships.leaveAll();
        boundWindows.close();
        provider.destroy();
        domain.context().handles().remove(userHandle);
    }

    /// Returns whether an outstanding send binds the window.
    boolean binds(MemoryWindow window) {
        return whileOpen(() -> provider.binds(window.remoteKey()));
    }

    BoundWindows boundWindows() {
        return boundWindows;
    }

    ProviderQueuePair provider() {
        return provider;
    }

    @Override
    public String toString() {
        return type + " queue pair " + provider.number();
    }
}
