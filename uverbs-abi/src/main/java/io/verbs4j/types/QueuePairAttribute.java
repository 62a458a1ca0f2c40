// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.types;

import java.util.EnumSet;
import java.util.Set;

/// An attribute of a queue pair, with its bit in the mask of a modify or query (`enum ibv_qp_attr_mask`).
public enum QueuePairAttribute {
    /// `IBV_QP_STATE`: the new state.
    STATE(0),
    /// `IBV_QP_CUR_STATE`: the state that the caller expects the queue pair to be in.
    CURRENT_STATE(1),
    /// `IBV_QP_EN_SQD_ASYNC_NOTIFY`: whether an event reports a drained send queue.
    SQD_ASYNC_NOTIFY(2),
    /// `IBV_QP_ACCESS_FLAGS`: remote operations that are permitted.
    ACCESS_FLAGS(3),
    /// `IBV_QP_PKEY_INDEX`: index of the P_Key.
    PKEY_INDEX(4),
    /// `IBV_QP_PORT`: local port.
    PORT(5),
    /// `IBV_QP_QKEY`: Q_Key of a datagram queue pair.
    QKEY(6),
    /// `IBV_QP_AV`: path to the peer.
    ADDRESS_VECTOR(7),
    /// `IBV_QP_PATH_MTU`: longest payload of a packet.
    PATH_MTU(8),
    /// `IBV_QP_TIMEOUT`: acknowledgement timeout.
    TIMEOUT(9),
    /// `IBV_QP_RETRY_CNT`: retries after timeouts.
    RETRY_COUNT(10),
    /// `IBV_QP_RNR_RETRY`: retries after receiver-not-ready.
    RNR_RETRY(11),
    /// `IBV_QP_RQ_PSN`: first packet sequence number that the peer sends.
    RECEIVE_PSN(12),
    /// `IBV_QP_MAX_QP_RD_ATOMIC`: outstanding reads and atomics of this end.
    MAX_READ_ATOMIC(13),
    /// `IBV_QP_ALT_PATH`: alternate path; InfiniBand only.
    ALTERNATE_PATH(14),
    /// `IBV_QP_MIN_RNR_TIMER`: the time that the peer waits after receiver-not-ready.
    MIN_RNR_TIMER(15),
    /// `IBV_QP_SQ_PSN`: first packet sequence number that this end sends.
    SEND_PSN(16),
    /// `IBV_QP_MAX_DEST_RD_ATOMIC`: outstanding reads and atomics of the peer.
    MAX_DESTINATION_READ_ATOMIC(17),
    /// `IBV_QP_PATH_MIG_STATE`: path migration state; InfiniBand only.
    PATH_MIGRATION_STATE(18),
    /// `IBV_QP_CAP`: sizes of the queues.
    CAPABILITIES(19),
    /// `IBV_QP_DEST_QPN`: number of the peer's queue pair.
    DESTINATION_QP(20);

    private final int bit;

    QueuePairAttribute(int position) {
        this.bit = 1 << position;
    }

    /// Returns the attribute's bit in a mask.
    public int bit() {
        return bit;
    }

    /// Returns the attributes as one mask.
    public static int mask(QueuePairAttribute... attributes) {
        int mask = 0;
        for (QueuePairAttribute attribute : attributes) {
            mask |= attribute.bit;
        }
        return mask;
    }

    /// Returns the attributes of a mask; bits without a name are omitted.
    public static Set<QueuePairAttribute> of(int mask) {
        var attributes = EnumSet.noneOf(QueuePairAttribute.class);
        for (QueuePairAttribute attribute : values()) {
            if ((mask & attribute.bit) != 0) {
                attributes.add(attribute);
            }
        }
        return attributes;
    }
}
