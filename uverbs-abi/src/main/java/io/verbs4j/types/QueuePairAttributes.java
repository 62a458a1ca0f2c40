// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Attributes of a queue pair, for a modify or from a query (`struct ibv_qp_attr`, man ibv_modify_qp(3)). [#builder()]
/// creates them and records the set attributes in [#mask()].
///
/// @param mask the attributes that are set, bits of [QueuePairAttribute]
/// @param state the new state in a modify, the current state from a query
/// @param currentState the state that the caller expects the queue pair to be in
/// @param sqdAsyncNotify whether an event reports a drained send queue
/// @param accessFlags permitted remote operations, bits of [Access]
/// @param pkeyIndex index of the P_Key, 0 on RoCE
/// @param port local port, from 1
/// @param qkey Q_Key of a datagram queue pair; a set bit 31 needs `CAP_NET_RAW`
/// @param addressVector path to the peer
/// @param pathMtu longest payload of a packet; the same at both ends
/// @param timeout acknowledgement timeout: 4.096 µs × 2^n for n from 1 to 31; 0 waits indefinitely
/// @param retryCount retries after timeouts, 0 to 7; 7 means indefinitely on rxe, contrary to the specification
/// @param rnrRetry retries after receiver-not-ready, 0 to 7; 7 means indefinitely
/// @param receivePsn first packet sequence number that the peer sends, 24 bits
/// @param sendPsn first packet sequence number that this end sends, 24 bits
/// @param maxReadAtomic outstanding reads and atomics of this end, 0 to 255; with 0, reads and atomics hang on rxe
/// @param maxDestinationReadAtomic outstanding reads and atomics of the peer, 0 to 255
/// @param minRnrTimer the time that the peer waits after receiver-not-ready before it retries: a code of 0 to 31 (1 is
///     10 µs, 12 is 640 µs, 0 is 655 ms)
/// @param destinationQueuePairNumber number of the peer's queue pair, 24 bits
/// @param pathMigrationState 0 migrated, 1 rearm, 2 armed; InfiniBand only
/// @param alternatePath alternate path; InfiniBand only, RoCE devices refuse it
/// @param capabilities sizes of the queues, from a query; rxe does not change them in a modify
/// @param sendQueueDraining whether the send queue is still draining, from a query
public record QueuePairAttributes(
        int mask,
        QueuePairState state,
        QueuePairState currentState,
        boolean sqdAsyncNotify,
        int accessFlags,
        int pkeyIndex,
        int port,
        int qkey,
        @Nullable AddressVector addressVector,
        @Nullable Mtu pathMtu,
        int timeout,
        int retryCount,
        int rnrRetry,
        int receivePsn,
        int sendPsn,
        int maxReadAtomic,
        int maxDestinationReadAtomic,
        int minRnrTimer,
        int destinationQueuePairNumber,
        int pathMigrationState,
        @Nullable AddressVector alternatePath,
        @Nullable QueuePairCapabilities capabilities,
        boolean sendQueueDraining) {
    /// Checks the ranges of the kernel's fields, which would truncate other values.
    ///
    /// @throws IllegalArgumentException if a value is out of its range
    public QueuePairAttributes {
        Ranges.check("pkeyIndex", pkeyIndex, 0, 0xffff);
        Ranges.check("port", port, 0, 255);
        Ranges.check("timeout", timeout, 0, 31);
        Ranges.check("retryCount", retryCount, 0, 7);
        Ranges.check("rnrRetry", rnrRetry, 0, 7);
        Ranges.check("receivePsn", receivePsn, 0, 0xffffff);
        Ranges.check("sendPsn", sendPsn, 0, 0xffffff);
        Ranges.check("maxReadAtomic", maxReadAtomic, 0, 255);
        Ranges.check("maxDestinationReadAtomic", maxDestinationReadAtomic, 0, 255);
        Ranges.check("minRnrTimer", minRnrTimer, 0, 31);
        Ranges.check("destinationQueuePairNumber", destinationQueuePairNumber, 0, 0xffffff);
        Ranges.check("pathMigrationState", pathMigrationState, 0, 2);
    }

    /// Returns the attributes that are set.
    public Set<QueuePairAttribute> attributes() {
        return QueuePairAttribute.of(mask);
    }

    /// Returns whether an attribute is set.
    public boolean has(QueuePairAttribute attribute) {
        return (mask & attribute.bit()) != 0;
    }

    /// Returns a builder with these attributes.
    public Builder toBuilder() {
        return new Builder(this);
    }

    /// Returns a copy without some attributes, which a modify then does not change.
    public QueuePairAttributes without(QueuePairAttribute... left) {
        var builder = toBuilder();
        builder.mask &= ~QueuePairAttribute.mask(left);
        return builder.build();
    }

    /// Returns a builder without attributes.
    public static Builder builder() {
        return new Builder();
    }

    /// Collects attributes; not thread-safe. Each setter, except [#sendQueueDraining], also sets the attribute's bit in
    /// the mask.
    public static final class Builder {
        private int mask;
        private QueuePairState state = QueuePairState.RESET;
        private QueuePairState currentState = QueuePairState.RESET;
        private boolean sqdAsyncNotify;
        private int accessFlags;
        private int pkeyIndex;
        private int port;
        private int qkey;
        private @Nullable AddressVector addressVector;
        private @Nullable Mtu pathMtu;
        private int timeout;
        private int retryCount;
        private int rnrRetry;
        private int receivePsn;
        private int sendPsn;
        private int maxReadAtomic;
        private int maxDestinationReadAtomic;
        private int minRnrTimer;
        private int destinationQueuePairNumber;
        private int pathMigrationState;
        private @Nullable AddressVector alternatePath;
        private @Nullable QueuePairCapabilities capabilities;
        private boolean sendQueueDraining;

        private Builder() {}

        private Builder(QueuePairAttributes from) {
            mask = from.mask;
            state = from.state;
            currentState = from.currentState;
            sqdAsyncNotify = from.sqdAsyncNotify;
            accessFlags = from.accessFlags;
            pkeyIndex = from.pkeyIndex;
            port = from.port;
            qkey = from.qkey;
            addressVector = from.addressVector;
            pathMtu = from.pathMtu;
            timeout = from.timeout;
            retryCount = from.retryCount;
            rnrRetry = from.rnrRetry;
            receivePsn = from.receivePsn;
            sendPsn = from.sendPsn;
            maxReadAtomic = from.maxReadAtomic;
            maxDestinationReadAtomic = from.maxDestinationReadAtomic;
            minRnrTimer = from.minRnrTimer;
            destinationQueuePairNumber = from.destinationQueuePairNumber;
            pathMigrationState = from.pathMigrationState;
            alternatePath = from.alternatePath;
            capabilities = from.capabilities;
            sendQueueDraining = from.sendQueueDraining;
        }

        private Builder with(QueuePairAttribute attribute) {
            mask |= attribute.bit();
            return this;
        }

        /// Sets the new state.
        public Builder state(QueuePairState value) {
            state = value;
            return with(QueuePairAttribute.STATE);
        }

        /// Sets the state that the caller expects the queue pair to be in.
        public Builder currentState(QueuePairState value) {
            currentState = value;
            return with(QueuePairAttribute.CURRENT_STATE);
        }

        /// Sets whether an event reports a drained send queue.
        public Builder sqdAsyncNotify(boolean value) {
            sqdAsyncNotify = value;
            return with(QueuePairAttribute.SQD_ASYNC_NOTIFY);
        }

        /// Sets the permitted remote operations, bits of [Access].
        public Builder accessFlags(int value) {
            accessFlags = value;
            return with(QueuePairAttribute.ACCESS_FLAGS);
        }

        /// Sets the index of the P_Key, 0 on RoCE.
        public Builder pkeyIndex(int value) {
            pkeyIndex = value;
            return with(QueuePairAttribute.PKEY_INDEX);
        }

        /// Sets the local port, from 1.
        public Builder port(int value) {
            port = value;
            return with(QueuePairAttribute.PORT);
        }

        /// Sets the Q_Key of a datagram queue pair; a set bit 31 needs `CAP_NET_RAW`.
        public Builder qkey(int value) {
            qkey = value;
            return with(QueuePairAttribute.QKEY);
        }

        /// Sets the path to the peer.
        public Builder addressVector(AddressVector value) {
            addressVector = value;
            return with(QueuePairAttribute.ADDRESS_VECTOR);
        }

        /// Sets the longest payload of a packet, the same at both ends.
        public Builder pathMtu(Mtu value) {
            pathMtu = value;
            return with(QueuePairAttribute.PATH_MTU);
        }

        /// Sets the acknowledgement timeout: 4.096 µs × 2^n for n from 1 to 31; 0 waits indefinitely.
        public Builder timeout(int value) {
            timeout = value;
            return with(QueuePairAttribute.TIMEOUT);
        }

        /// Sets the retries after timeouts, 0 to 7; 7 means indefinitely on rxe, contrary to the specification.
        public Builder retryCount(int value) {
            retryCount = value;
            return with(QueuePairAttribute.RETRY_COUNT);
        }

        /// Sets the retries after receiver-not-ready, 0 to 7; 7 means indefinitely.
        public Builder rnrRetry(int value) {
            rnrRetry = value;
            return with(QueuePairAttribute.RNR_RETRY);
        }

        /// Sets the first packet sequence number that the peer sends, 24 bits.
        public Builder receivePsn(int value) {
            receivePsn = value;
            return with(QueuePairAttribute.RECEIVE_PSN);
        }

        /// Sets the first packet sequence number that this end sends, 24 bits.
        public Builder sendPsn(int value) {
            sendPsn = value;
            return with(QueuePairAttribute.SEND_PSN);
        }

        /// Sets the number of outstanding reads and atomics of this end, 0 to 255. With 0, reads and atomics hang on
        /// rxe.
        public Builder maxReadAtomic(int value) {
            maxReadAtomic = value;
            return with(QueuePairAttribute.MAX_READ_ATOMIC);
        }

        /// Sets the number of outstanding reads and atomics of the peer, 0 to 255.
        public Builder maxDestinationReadAtomic(int value) {
            maxDestinationReadAtomic = value;
            return with(QueuePairAttribute.MAX_DESTINATION_READ_ATOMIC);
        }

        /// Sets the time that the peer waits after receiver-not-ready before it retries: a code of 0 to 31 (1 is 10 µs,
        /// 12 is 640 µs, 0 is 655 ms).
        public Builder minRnrTimer(int value) {
            minRnrTimer = value;
            return with(QueuePairAttribute.MIN_RNR_TIMER);
        }

        /// Sets the number of the peer's queue pair, 24 bits.
        public Builder destinationQueuePairNumber(int value) {
            destinationQueuePairNumber = value;
            return with(QueuePairAttribute.DESTINATION_QP);
        }

        /// Sets the path migration state: 0 migrated, 1 rearm, 2 armed; InfiniBand only.
        public Builder pathMigrationState(int value) {
            pathMigrationState = value;
            return with(QueuePairAttribute.PATH_MIGRATION_STATE);
        }

        /// Sets the alternate path; InfiniBand only, RoCE devices refuse it.
        public Builder alternatePath(AddressVector value) {
            alternatePath = value;
            return with(QueuePairAttribute.ALTERNATE_PATH);
        }

        /// Sets the sizes of the queues. rxe does not change them in a modify.
        public Builder capabilities(QueuePairCapabilities value) {
            capabilities = value;
            return with(QueuePairAttribute.CAPABILITIES);
        }

        /// Sets the permitted remote operations.
        public Builder access(Access... flags) {
            return accessFlags(Access.mask(flags));
        }

        /// Sets whether the send queue is still draining, in the result of a query.
        public Builder sendQueueDraining(boolean value) {
            sendQueueDraining = value;
            return this;
        }

        /// Returns the attributes set so far.
        ///
        /// @throws IllegalArgumentException if a value is out of its range
        public QueuePairAttributes build() {
            return new QueuePairAttributes(
                    mask,
                    state,
                    currentState,
                    sqdAsyncNotify,
                    accessFlags,
                    pkeyIndex,
                    port,
                    qkey,
                    addressVector,
                    pathMtu,
                    timeout,
                    retryCount,
                    rnrRetry,
                    receivePsn,
                    sendPsn,
                    maxReadAtomic,
                    maxDestinationReadAtomic,
                    minRnrTimer,
                    destinationQueuePairNumber,
                    pathMigrationState,
                    alternatePath,
                    capabilities,
                    sendQueueDraining);
        }
    }
}
