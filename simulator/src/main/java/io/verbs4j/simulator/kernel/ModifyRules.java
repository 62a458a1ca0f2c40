// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.abi.queuepair.QueuePairTransitions;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.simulator.rxe.Path;
import io.verbs4j.simulator.rxe.QueuePair;
import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import org.jspecify.annotations.Nullable;

/// Changes a queue pair's attributes, with the checks of uverbs and rxe in their order (`modify_qp`, uverbs_cmd.c;
/// `rxe_qp_from_attr`, rxe_qp.c).
record ModifyRules(OpenDevice file, AddressCommands addresses) {
    private static final int KNOWN = (QueuePairAttribute.DESTINATION_QP.bit() << 1) - 1;
    private static final int PORT_NUMBER = 1;
    private static final int MAX_READS = 128;
    private static final int MAX_MTU = 5;
    private static final int MAX_TIMEOUT = 31;
    private static final int MAX_MIGRATION = 2;
    /// Access rights of a queue pair: those of the peer, and binding windows (`RXE_ACCESS_SUPPORTED_QP`, rxe_verbs.h).
    private static final int RIGHTS = 0x3ff0_031f;

    private boolean has(Behaviour behaviour) {
        return file.node().profile().has(behaviour);
    }

    private static boolean has(int mask, QueuePairAttribute attribute) {
        return (mask & attribute.bit()) != 0;
    }

    void modify(KernelObject.Pair pair, CView in, String base) {
        int mask = in.getInt(base + "attr_mask");
        Refusal.when((mask & ~KNOWN) != 0, Errno.EOPNOTSUPP);
        int port = in.getInt(base + "port_num");
        Refusal.when(has(mask, QueuePairAttribute.PORT) && port != PORT_NUMBER, Errno.EINVAL);
        int wanted = in.getInt(base + "qp_state");
        int claimed = in.getInt(base + "cur_qp_state");
        Refusal.when(
                (has(mask, QueuePairAttribute.STATE) && wanted > QueuePairState.ERR.value())
                        || (has(mask, QueuePairAttribute.CURRENT_STATE) && claimed > QueuePairState.ERR.value()),
                Errno.EINVAL);
        if (has(mask, QueuePairAttribute.ADDRESS_VECTOR)) {
            int vectorPort = in.getInt(base + "dest.port_num");
            Refusal.unless(vectorPort == PORT_NUMBER, Errno.EINVAL);
            if (has(mask, QueuePairAttribute.STATE) && wanted == QueuePairState.RTR.value()) {
                Refusal.unless(vectorPort == pair.port, Errno.EINVAL);
            } else {
                Refusal.when(has(mask, QueuePairAttribute.PORT) && port != vectorPort, Errno.EINVAL);
                port = vectorPort;
                mask |= QueuePairAttribute.PORT.bit();
            }
        }
        Refusal.when(has(mask, QueuePairAttribute.ALTERNATE_PATH), Errno.EINVAL);
        Path path = has(mask, QueuePairAttribute.ADDRESS_VECTOR) ? addresses.resolve(in, base + "dest.", base + "dest.")
                : null;
        QueuePair queuePair = pair.queuePair();
        boolean checksStateFirst = !has(Behaviour.ONLY_STATES_ARE_CHECKED);
        if (checksStateFirst) {
            checkState(queuePair, mask, wanted, claimed);
        }
        checkValues(queuePair, in, base, mask);
        if (!checksStateFirst && has(mask, QueuePairAttribute.STATE)) {
            checkState(queuePair, mask, wanted, claimed);
        }
        apply(queuePair, in, base, mask, path);
        if (has(mask, QueuePairAttribute.PORT)) {
            pair.port = port;
        }
    }

    private static void checkState(QueuePair queuePair, int mask, int wanted, int claimed) {
        QueuePairState from =
                has(mask, QueuePairAttribute.CURRENT_STATE) ? QueuePairState.of(claimed) : queuePair.state();
        QueuePairState to = has(mask, QueuePairAttribute.STATE) ? QueuePairState.of(wanted) : from;
        QueuePairTransitions.Rule rule = QueuePairTransitions.rule(queuePair.shape().type(), from, to);
        int given = mask & ~QueuePairAttribute.STATE.bit();
        Refusal.when(
                rule == null
                        || (given & rule.required()) != rule.required()
                        || (given & ~(rule.required() | rule.optional())) != 0,
                Errno.EINVAL);
        Refusal.when(
                has(mask, QueuePairAttribute.STATE)
                        && from == QueuePairState.SQD
                        && queuePair.isDraining()
                        && to != QueuePairState.ERR,
                Errno.EINVAL);
    }

    private void checkValues(QueuePair queuePair, CView in, String base, int mask) {
        boolean connected = queuePair.shape().type() != QueuePairType.UD;
        if (has(mask, QueuePairAttribute.ACCESS_FLAGS)) {
            int rights = in.getInt(base + "qp_access_flags");
            Refusal.unless(connected || !has(Behaviour.REFUSES_FOREIGN_QUEUE_PAIR_RIGHTS), Errno.EINVAL);
            Refusal.when(
                    has(Behaviour.REFUSES_FOREIGN_QUEUE_PAIR_RIGHTS) && (rights & ~RIGHTS) != 0, Errno.EINVAL);
        }
        Refusal.when(has(mask, QueuePairAttribute.PATH_MTU) && in.getInt(base + "path_mtu") > MAX_MTU, Errno.EINVAL);
        Refusal.when(
                has(mask, QueuePairAttribute.MAX_READ_ATOMIC) && in.getInt(base + "max_rd_atomic") > MAX_READS,
                Errno.EINVAL);
        Refusal.when(has(mask, QueuePairAttribute.TIMEOUT) && in.getInt(base + "timeout") > MAX_TIMEOUT, Errno.EINVAL);
        Refusal.when(
                has(mask, QueuePairAttribute.PATH_MIGRATION_STATE)
                        && in.getInt(base + "path_mig_state") > MAX_MIGRATION,
                Errno.EINVAL);
    }

    private static int powerOfTwo(int number) {
        return number <= 1 ? number : Integer.highestOneBit(number - 1) << 1;
    }

    private void apply(QueuePair queuePair, CView in, String base, int mask, @Nullable Path path) {
        QueuePair.Attributes attributes = queuePair.attributes();
        if (has(mask, QueuePairAttribute.STATE)) {
            queuePair.move(QueuePairState.of(in.getInt(base + "qp_state")));
        }
        if (has(mask, QueuePairAttribute.MAX_READ_ATOMIC)) {
            queuePair.reads(powerOfTwo(in.getInt(base + "max_rd_atomic")));
        }
        if (has(mask, QueuePairAttribute.MAX_DESTINATION_READ_ATOMIC)) {
            queuePair.incomingReads(powerOfTwo(in.getInt(base + "max_dest_rd_atomic")));
        }
        if (has(mask, QueuePairAttribute.ACCESS_FLAGS)) {
            attributes.access = in.getInt(base + "qp_access_flags");
        }
        if (has(mask, QueuePairAttribute.PKEY_INDEX)) {
            attributes.pkeyIndex = in.getInt(base + "pkey_index");
        }
        if (has(mask, QueuePairAttribute.PORT)) {
            attributes.port = PORT_NUMBER;
        }
        if (has(mask, QueuePairAttribute.QKEY)) {
            queuePair.qkey(in.getInt(base + "qkey"));
        }
        if (path != null) {
            queuePair.path(path);
        }
        if (has(mask, QueuePairAttribute.PATH_MTU)) {
            queuePair.pathMtu(Math.max(1, in.getInt(base + "path_mtu")));
        }
        if (has(mask, QueuePairAttribute.TIMEOUT)) {
            queuePair.timeout(in.getInt(base + "timeout"));
        }
        if (has(mask, QueuePairAttribute.RETRY_COUNT)) {
            queuePair.retries(in.getInt(base + "retry_cnt"));
        }
        if (has(mask, QueuePairAttribute.RNR_RETRY)) {
            queuePair.rnrRetries(in.getInt(base + "rnr_retry"));
        }
        if (has(mask, QueuePairAttribute.RECEIVE_PSN)) {
            queuePair.receivePsn(in.getInt(base + "rq_psn"));
        }
        if (has(mask, QueuePairAttribute.MIN_RNR_TIMER)) {
            attributes.rnrTimer = in.getInt(base + "min_rnr_timer") & MAX_TIMEOUT;
        }
        if (has(mask, QueuePairAttribute.SEND_PSN)) {
            queuePair.sendPsn(in.getInt(base + "sq_psn"));
        }
        if (has(mask, QueuePairAttribute.PATH_MIGRATION_STATE)) {
            attributes.migration = in.getInt(base + "path_mig_state");
        }
        if (has(mask, QueuePairAttribute.DESTINATION_QP)) {
            attributes.destination = in.getInt(base + "dest_qp_num") & 0xff_ffff;
        }
    }
}
