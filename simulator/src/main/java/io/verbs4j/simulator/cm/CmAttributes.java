// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.cm;

import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUverbsAhAttr;
import io.verbs4j.abi.uapi.IbUverbsQpAttr;
import io.verbs4j.simulator.kernel.Refusal;
import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Returns the attributes that move a queue pair to a state (`rdma_init_qp_attr`, cma.c, and `ib_cm_init_qp_attr`,
/// cm.c).
final class CmAttributes {
    /// States in which the terms of both ends are known.
    private static final Set<Conversation.State> AGREED = EnumSet.of(
            Conversation.State.REQUEST_RECEIVED,
            Conversation.State.REPLY_SENT,
            Conversation.State.REPLY_RECEIVED,
            Conversation.State.ESTABLISHED);

    private static final int WRITES = Access.mask(Access.REMOTE_WRITE);
    private static final int READS_AND_WRITES =
            Access.mask(Access.REMOTE_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
    private static final int FLUSHES = Access.mask(Access.FLUSH_GLOBAL, Access.FLUSH_PERSISTENT);

    private CmAttributes() {}

    static void write(CmIdentifier identifier, QueuePairState state, MemorySegment answer) {
        CmPort port = identifier.port();
        if (port == null) {
            throw new Refusal(Errno.EINVAL);
        }
        try (Arena arena = Arena.ofConfined()) {
            CView attributes = IbUverbsQpAttr.STRUCT
                    .view(arena.allocate(IbUverbsQpAttr.STRUCT.layout()))
                    .set("qp_state", state.value())
                    .set("port_num", CmPort.NUMBER);
            Conversation conversation = identifier.handshake.conversation();
            Set<QueuePairAttribute> mask = identifier.isOfDatagrams()
                    ? datagrams(attributes)
                    : conversation == null
                            ? EnumSet.of(QueuePairAttribute.STATE, QueuePairAttribute.ACCESS_FLAGS,
                                    QueuePairAttribute.PKEY_INDEX, QueuePairAttribute.PORT)
                            : connection(identifier, port, conversation, state, attributes);
            attributes.set("qp_attr_mask", QueuePairAttribute.mask(mask.toArray(QueuePairAttribute[]::new)));
            answer.asSlice(0, attributes.memory().byteSize()).copyFrom(attributes.memory());
        }
    }

    /// Sets the same attributes for each requested state.
    private static Set<QueuePairAttribute> datagrams(CView attributes) {
        attributes.set("qkey", CmIdentifier.QKEY);
        return EnumSet.of(QueuePairAttribute.STATE, QueuePairAttribute.PKEY_INDEX, QueuePairAttribute.PORT,
                QueuePairAttribute.QKEY);
    }

    private static Set<QueuePairAttribute> connection(
            CmIdentifier identifier,
            CmPort port,
            Conversation conversation,
            QueuePairState state,
            CView attributes) {
        boolean asked = conversation.state() == Conversation.State.REQUEST_SENT;
        boolean agreed = AGREED.contains(conversation.state());
        Refusal.unless(agreed || (asked && state == QueuePairState.INIT), Errno.EINVAL);
        Terms own = conversation.own();
        Terms theirs = conversation.theirs();
        return switch (state) {
            case INIT -> {
                attributes.set("qp_access_flags", access(identifier, incoming(own, theirs) > 0));
                yield EnumSet.of(QueuePairAttribute.STATE, QueuePairAttribute.ACCESS_FLAGS,
                        QueuePairAttribute.PKEY_INDEX, QueuePairAttribute.PORT);
            }
            case RTR -> toReceive(identifier, port, own, required(theirs), attributes);
            case RTS -> toSend(identifier, own, required(theirs), attributes);
            default -> throw new Refusal(Errno.EINVAL);
        };
    }

    /// Returns the peer's access rights, with or without reads and atomics.
    private static int access(CmIdentifier identifier, boolean readable) {
        if (!readable) {
            return WRITES;
        }
        return identifier.has(Behaviour.ATOMIC_WRITE_AND_FLUSH) ? READS_AND_WRITES | FLUSHES : READS_AND_WRITES;
    }

    private static Terms required(@Nullable Terms terms) {
        if (terms == null) {
            throw new Refusal(Errno.EINVAL);
        }
        return terms;
    }

    /// Returns the limit of concurrent reads and atomics of the peer, from the terms that are known.
    private static int incoming(@Nullable Terms own, @Nullable Terms theirs) {
        return own != null && theirs == null ? own.responderResources()
                : theirs != null && own == null ? theirs.initiatorDepth()
                        : own != null && theirs != null ? Math.min(own.responderResources(), theirs.initiatorDepth())
                                : 0;
    }

    private static int outgoing(@Nullable Terms own, Terms theirs) {
        return own == null ? theirs.responderResources() : Math.min(own.initiatorDepth(), theirs.responderResources());
    }

    private static Set<QueuePairAttribute> toReceive(
            CmIdentifier identifier, CmPort port, @Nullable Terms own, Terms theirs, CView attributes) {
        IbUverbsAhAttr.write(
                attributes.slice("ah_attr"), identifier.path(IpAddresses.address(identifier.remote())));
        attributes.set("path_mtu", port.mtuCode())
                .set("dest_qp_num", theirs.queuePair())
                .set("rq_psn", identifier.psn)
                .set("max_dest_rd_atomic", incoming(own, theirs));
        return EnumSet.of(QueuePairAttribute.STATE, QueuePairAttribute.ADDRESS_VECTOR, QueuePairAttribute.PATH_MTU,
                QueuePairAttribute.RECEIVE_PSN, QueuePairAttribute.DESTINATION_QP,
                QueuePairAttribute.MAX_DESTINATION_READ_ATOMIC,
                QueuePairAttribute.MIN_RNR_TIMER);
    }

    private static Set<QueuePairAttribute> toSend(
            CmIdentifier identifier, @Nullable Terms own, Terms theirs, CView attributes) {
        Terms retries = own == null ? theirs : own;
        int chosen = identifier.options.acknowledgeTimeout;
        attributes.set("timeout", chosen == 0 ? identifier.acknowledgeTimeout() : chosen)
                .set("retry_cnt", retries.retries())
                .set("rnr_retry", retries.rnrRetries())
                .set("sq_psn", theirs.psn())
                .set("max_rd_atomic", outgoing(own, theirs));
        return EnumSet.of(QueuePairAttribute.STATE, QueuePairAttribute.TIMEOUT, QueuePairAttribute.RETRY_COUNT,
                QueuePairAttribute.RNR_RETRY, QueuePairAttribute.SEND_PSN, QueuePairAttribute.MAX_READ_ATOMIC);
    }
}
