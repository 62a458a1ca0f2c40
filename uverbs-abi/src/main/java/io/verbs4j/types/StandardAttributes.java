// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

/// Creates the attributes of the transitions RESET to INIT to RTR to RTS, with values that work on RoCE. For programs
/// that change the states of their queue pairs themselves. Each method returns a builder, so that the program can
/// change the values. The kernel's table lists the required attributes of each transition (`qp_state_table`,
/// drivers/infiniband/core/verbs.c).
public final class StandardAttributes {
    /// The code of the acknowledgement timeout: 4.096 µs × 2^14, 67 ms.
    public static final int TIMEOUT = 14;
    /// The number of retries after timeouts. On rxe, 7 would mean indefinitely.
    public static final int RETRY_COUNT = 6;
    /// The number of retries after receiver-not-ready: 7 means indefinitely.
    public static final int RNR_RETRY = 7;
    /// The code of the time that the peer waits after receiver-not-ready before it retries: 0.64 ms.
    public static final int MIN_RNR_TIMER = 12;
    /// Outstanding reads and atomics in each direction; more than some devices support.
    public static final int READ_ATOMIC = 16;
    /// The Q_Key of datagram queue pairs. A key with bit 31 set would need `CAP_NET_RAW`.
    public static final int QKEY = 0x11111111;

    private StandardAttributes() {}

    /// Returns the attributes of RESET to INIT, on port 1. A connection permits reads, writes and atomics of its peer,
    /// so that only a region's own rights restrict them. A datagram queue pair gets [#QKEY].
    public static QueuePairAttributes.Builder init(QueuePairType type) {
        var attributes = QueuePairAttributes.builder()
                .state(QueuePairState.INIT)
                .pkeyIndex(0)
                .port(1);
        return type == QueuePairType.UD
                ? attributes.qkey(QKEY)
                : attributes.access(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
    }

    /// Returns the attributes of INIT to RTR, for a datagram queue pair.
    public static QueuePairAttributes.Builder readyToReceive() {
        return QueuePairAttributes.builder().state(QueuePairState.RTR);
    }

    /// Returns the attributes of INIT to RTR, for a connection.
    ///
    /// @param type RC or UC
    /// @param path path to the peer
    /// @param mtu the same at both ends, at most the smaller one of both ports' active MTUs
    /// @param peer number of the peer's queue pair, 24 bits
    /// @param psn first packet sequence number that the peer sends, 24 bits
    public static QueuePairAttributes.Builder readyToReceive(
            QueuePairType type, AddressVector path, Mtu mtu, int peer, int psn) {
        var attributes = readyToReceive()
                .addressVector(path)
                .pathMtu(mtu)
                .destinationQueuePairNumber(peer)
                .receivePsn(psn);
        return type == QueuePairType.RC
                ? attributes.maxDestinationReadAtomic(READ_ATOMIC).minRnrTimer(MIN_RNR_TIMER)
                : attributes;
    }

    /// Returns the attributes of RTR to RTS.
    ///
    /// @param psn first packet sequence number that this end sends, 24 bits
    public static QueuePairAttributes.Builder readyToSend(QueuePairType type, int psn) {
        var attributes = QueuePairAttributes.builder().state(QueuePairState.RTS).sendPsn(psn);
        return type == QueuePairType.RC
                ? attributes
                        .timeout(TIMEOUT)
                        .retryCount(RETRY_COUNT)
                        .rnrRetry(RNR_RETRY)
                        .maxReadAtomic(READ_ATOMIC)
                : attributes;
    }
}
