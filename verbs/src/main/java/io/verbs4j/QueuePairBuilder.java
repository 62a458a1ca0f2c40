// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.spi.ProviderQueuePair;
import io.verbs4j.spi.QueuePairRequest;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.Feature;
import io.verbs4j.types.GidEntry;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.PortAttributes;
import io.verbs4j.types.PortState;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.StandardAttributes;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/// Describes a queue pair and creates it: in RESET with [#create()], or ready to be connected with [#prepare()].
///
/// The defaults work on RoCE: port 1, a GID chosen by [GidSelector#automatic()], the port's active MTU, and a random
/// first packet sequence number. By default, the queue pair permits remote reads, writes and atomics, so that only a
/// region's own rights restrict them. A setter throws [IllegalArgumentException] if its value is out of range or
/// exceeds a limit of the device ([Context#attributes()]). Not thread-safe.
public final class QueuePairBuilder {
    private final ProtectionDomain domain;
    private final QueuePairType type;
    private CompletionQueue sendQueue;
    private CompletionQueue receiveQueue;
    private @Nullable SharedReceiveQueue sharedReceiveQueue;
    private int maxSends = 128;
    private int maxReceives = 128;
    private int maxSendScatterGather = 4;
    private int maxReceiveScatterGather = 4;
    private int maxInlineData = 64;
    private boolean signalAll;
    private boolean singleThreaded;
    private int port = 1;
    private GidSelector gidSelector = GidSelector.automatic();
    private @Nullable Mtu pathMtu;
    private int packetSequenceNumber = ThreadLocalRandom.current().nextInt(1 << 24);
    private int accessFlags = Access.mask(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
    private int timeout = StandardAttributes.TIMEOUT;
    private int retryCount = StandardAttributes.RETRY_COUNT;
    private int rnrRetry = StandardAttributes.RNR_RETRY;
    private int minRnrTimer = StandardAttributes.MIN_RNR_TIMER;
    private int readAtomic;
    private int serviceLevel;
    private int trafficClass;
    private int flowLabel;
    private int hopLimit = 64;
    private int qkey = StandardAttributes.QKEY;

    QueuePairBuilder(ProtectionDomain domain, QueuePairType type, CompletionQueue queue) {
        this.domain = domain;
        this.type = type;
        this.sendQueue = queue;
        this.receiveQueue = queue;
        this.readAtomic = Math.min(
                StandardAttributes.READ_ATOMIC, domain.context().attributes().maxQueuePairReadAtomic());
    }

    /// Sets the completion queue of the sends.
    public QueuePairBuilder sendCompletionQueue(CompletionQueue queue) {
        sendQueue = queue;
        return this;
    }

    /// Sets the completion queue of the receives.
    public QueuePairBuilder receiveCompletionQueue(CompletionQueue queue) {
        receiveQueue = queue;
        return this;
    }

    /// Sets a shared receive queue. The queue pair then has no receive queue of its own.
    public QueuePairBuilder sharedReceiveQueue(SharedReceiveQueue queue) {
        sharedReceiveQueue = queue;
        return this;
    }

    /// Sets the number of outstanding sends that the queue pair must hold; 128 by default.
    public QueuePairBuilder maxSends(int count) {
        maxSends = Ranges.check("maxSends", count, 0, limits().maxQueuePairWorkRequests());
        return this;
    }

    /// Sets the number of outstanding receives that the queue pair must hold; 128 by default.
    public QueuePairBuilder maxReceives(int count) {
        maxReceives = Ranges.check("maxReceives", count, 0, limits().maxQueuePairWorkRequests());
        return this;
    }

    /// Sets the maximum number of scatter/gather elements of a send; 4 by default.
    public QueuePairBuilder maxSendScatterGather(int count) {
        maxSendScatterGather = Ranges.check("maxSendScatterGather", count, 0, limits().maxScatterGather());
        return this;
    }

    /// Sets the maximum number of scatter/gather elements of a receive; 4 by default.
    public QueuePairBuilder maxReceiveScatterGather(int count) {
        maxReceiveScatterGather = Ranges.check("maxReceiveScatterGather", count, 0, limits().maxScatterGather());
        return this;
    }

    /// Sets the number of bytes that a send can carry inline; 64 by default.
    public QueuePairBuilder maxInlineData(int bytes) {
        maxInlineData =
                Ranges.check("maxInlineData", bytes, 0, domain.context().provider().maxInlineData());
        return this;
    }

    /// Requests a completion for every send, whatever its flags.
    public QueuePairBuilder signalAll() {
        signalAll = true;
        return this;
    }

    /// Omits the locks. The caller must ensure that only one thread at a time sends, and only one receives.
    public QueuePairBuilder singleThreaded() {
        singleThreaded = true;
        return this;
    }

    /// Sets the local port, from 1; 1 by default.
    public QueuePairBuilder port(int number) {
        port = Ranges.check("port", number, 1, limits().ports());
        return this;
    }

    /// Sets the selector of the local GID; [GidSelector#automatic()] by default.
    public QueuePairBuilder gid(GidSelector selector) {
        gidSelector = selector;
        return this;
    }

    /// Sets the longest payload of a packet, at most the port's active MTU. A connection uses the smaller value of both
    /// ends. The default is the port's active MTU.
    public QueuePairBuilder pathMtu(Mtu mtu) {
        pathMtu = mtu;
        return this;
    }

    /// Sets the first packet sequence number that this end sends, 24 bits; random by default.
    public QueuePairBuilder packetSequenceNumber(int psn) {
        packetSequenceNumber = Ranges.check("packetSequenceNumber", psn, 0, 0xffffff);
        return this;
    }

    /// Sets the remote operations that the queue pair permits; reads, writes and atomics by default.
    public QueuePairBuilder access(Access... flags) {
        return access(Access.mask(flags));
    }

    /// Sets the remote operations that the queue pair permits, as [#access(Access...)] does.
    ///
    /// @param flags bits of [Access]
    public QueuePairBuilder access(int flags) {
        accessFlags = flags;
        return this;
    }

    /// Sets the acknowledgement timeout to 4.096 µs × 2^`exponent`. The exponent is 1 to 31; 0 means no timeout. The
    /// default is 14 (67 ms).
    public QueuePairBuilder timeout(int exponent) {
        timeout = Ranges.check("timeout", exponent, 0, 31);
        return this;
    }

    /// Sets the number of retries after timeouts, 0 to 7. The default is 6, because 7 may mean indefinitely.
    public QueuePairBuilder retryCount(int count) {
        retryCount = Ranges.check("retryCount", count, 0, 7);
        return this;
    }

    /// Sets the number of retries when the peer has no receive posted, 0 to 7. The default is 7, which means
    /// indefinitely.
    public QueuePairBuilder rnrRetry(int count) {
        rnrRetry = Ranges.check("rnrRetry", count, 0, 7);
        return this;
    }

    /// Sets the time after which a peer retries if this end has no receive posted: a code of 0 to 31. The default is 12
    /// (0.64 ms).
    public QueuePairBuilder minRnrTimer(int code) {
        minRnrTimer = Ranges.check("minRnrTimer", code, 0, 31);
        return this;
    }

    /// Sets the number of concurrent RDMA reads and atomics, outgoing and incoming. The default is 16, or the device's
    /// limit if that is lower.
    public QueuePairBuilder readAtomic(int count) {
        readAtomic = Ranges.check("readAtomic", count, 0, limits().maxQueuePairReadAtomic());
        return this;
    }

    /// Sets the service level or Ethernet priority, 0 to 15; 0 by default.
    public QueuePairBuilder serviceLevel(int level) {
        serviceLevel = Ranges.check("serviceLevel", level, 0, 15);
        return this;
    }

    /// Sets the IPv6 traffic class or IPv4 type of service, 0 to 255; 0 by default.
    public QueuePairBuilder trafficClass(int value) {
        trafficClass = Ranges.check("trafficClass", value, 0, 255);
        return this;
    }

    /// Sets the flow label, 20 bits; 0 by default. On RoCE v2, any other value determines the UDP source port
    /// ([io.verbs4j.types.UdpSourcePort]).
    public QueuePairBuilder flowLabel(int label) {
        flowLabel = Ranges.check("flowLabel", label, 0, 0xfffff);
        return this;
    }

    /// Sets the hop limit (IPv6) or time to live (IPv4), 0 to 255; 64 by default.
    public QueuePairBuilder hopLimit(int hops) {
        hopLimit = Ranges.check("hopLimit", hops, 0, 255);
        return this;
    }

    /// Sets the Q_Key that a datagram to this queue pair must carry; 0x11111111 by default. A key with the highest bit
    /// set is privileged: without `CAP_NET_RAW`, [#prepare()] fails with `EPERM`.
    public QueuePairBuilder qkey(int key) {
        qkey = key;
        return this;
    }

    private DeviceAttributes limits() {
        return domain.context().attributes();
    }

    /// Creates the queue pair in RESET. The caller changes the state by [QueuePair#modify].
    public QueuePair create() {
        if (sharedReceiveQueue != null) {
            domain.context().require(Feature.SHARED_RECEIVE_QUEUE);
        }
        List<VerbsObject> dependencies = domain.dependenciesWith(
                sharedReceiveQueue == null
                        ? List.of(sendQueue, receiveQueue)
                        : List.of(sendQueue, receiveQueue, sharedReceiveQueue));
        return VerbsObject.create(dependencies, rollback -> create(dependencies, rollback));
    }

    private QueuePair create(List<VerbsObject> dependencies, Rollback rollback) {
        long userHandle = domain.context().handles().reserve(rollback);
        var request = new QueuePairRequest(
                domain.provider(),
                type,
                sendQueue.provider(),
                receiveQueue.provider(),
                sharedReceiveQueue == null ? null : sharedReceiveQueue.provider(),
                capabilities(),
                signalAll,
                userHandle);
        ProviderQueuePair created = rollback.make(
                () -> domain.context().provider().createQueuePair(request), ProviderQueuePair::destroy);
        return new QueuePair(
                domain,
                dependencies,
                type,
                created,
                sendQueue,
                receiveQueue,
                sharedReceiveQueue,
                singleThreaded,
                userHandle);
    }

    private QueuePairCapabilities capabilities() {
        return new QueuePairCapabilities(
                maxSends,
                sharedReceiveQueue == null ? maxReceives : 0,
                maxSendScatterGather,
                sharedReceiveQueue == null ? maxReceiveScatterGather : 0,
                maxInlineData);
    }

    /// Creates the queue pair, moves it to INIT, and returns it with its endpoint. Receives can then be posted.
    ///
    /// @throws IllegalStateException if the port is not active or has no suitable GID
    /// @throws IllegalArgumentException if the path MTU is larger than the port's active MTU
    public PreparedQueuePair prepare() {
        var context = domain.context();
        var attributes = context.port(port);
        if (!attributes.state().equals(PortState.ACTIVE)) {
            throw new IllegalStateException("port " + port + " of " + context.device().name() + " is "
                    + attributes.state() + ": bring its network interface up");
        }
        if (pathMtu != null && type != QueuePairType.UD) {
            PathMtu.require(pathMtu, attributes, context.device(), port);
        }
        GidSelection selection = gidSelector.select(context, port);
        try (var rollback = new Rollback()) {
            QueuePair queuePair = rollback.make(this::create, QueuePair::close);
            queuePair.modify(toInit());
            PreparedQueuePair prepared = prepared(queuePair, attributes, selection);
            rollback.keep();
            return prepared;
        }
    }

    private PreparedQueuePair prepared(QueuePair queuePair, PortAttributes attributes, GidSelection selection) {
        Mtu mtu = pathMtu == null ? attributes.activeMtu() : pathMtu;
        var endpoint = new QueuePairEndpoint(
                queuePair.number(),
                packetSequenceNumber,
                selection.entry().gid(),
                attributes.lid(),
                mtu,
                qkey,
                selection.entry().index());
        return new PreparedQueuePair(
                queuePair, endpoint, selection, toReadyToReceive(selection.entry(), mtu), toReadyToSend());
    }

    private QueuePairAttributes toInit() {
        var attributes = StandardAttributes.init(type).port(port);
        return (type == QueuePairType.UD ? attributes.qkey(qkey) : attributes.accessFlags(accessFlags)).build();
    }

    /// Copies the values, because the builder may change before the queue pair is connected.
    private PreparedQueuePair.ReadyToReceive toReadyToReceive(GidEntry own, Mtu mtu) {
        var path = new AddressVector(
                own.gid(), own.index(), flowLabel, hopLimit, trafficClass, serviceLevel, port, 0);
        int reads = readAtomic;
        int rnrTimer = minRnrTimer;
        return remote -> {
            if (remote == null) {
                return StandardAttributes.readyToReceive().build();
            }
            var attributes = StandardAttributes.readyToReceive(
                    type,
                    path.withDestination(remote.gid(), remote.lid()),
                    mtu.min(remote.mtu()),
                    remote.queuePairNumber(),
                    remote.packetSequenceNumber());
            return (type == QueuePairType.RC
                    ? attributes.maxDestinationReadAtomic(reads).minRnrTimer(rnrTimer)
                    : attributes).build();
        };
    }

    private QueuePairAttributes toReadyToSend() {
        var attributes = StandardAttributes.readyToSend(type, packetSequenceNumber);
        return (type == QueuePairType.RC
                ? attributes.timeout(timeout).retryCount(retryCount).rnrRetry(rnrRetry).maxReadAtomic(readAtomic)
                : attributes).build();
    }
}
