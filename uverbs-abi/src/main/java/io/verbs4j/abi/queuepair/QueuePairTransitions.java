// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.queuepair;

import static io.verbs4j.types.QueuePairAttribute.ACCESS_FLAGS;
import static io.verbs4j.types.QueuePairAttribute.ADDRESS_VECTOR;
import static io.verbs4j.types.QueuePairAttribute.ALTERNATE_PATH;
import static io.verbs4j.types.QueuePairAttribute.CURRENT_STATE;
import static io.verbs4j.types.QueuePairAttribute.DESTINATION_QP;
import static io.verbs4j.types.QueuePairAttribute.MAX_DESTINATION_READ_ATOMIC;
import static io.verbs4j.types.QueuePairAttribute.MAX_READ_ATOMIC;
import static io.verbs4j.types.QueuePairAttribute.MIN_RNR_TIMER;
import static io.verbs4j.types.QueuePairAttribute.PATH_MIGRATION_STATE;
import static io.verbs4j.types.QueuePairAttribute.PATH_MTU;
import static io.verbs4j.types.QueuePairAttribute.PKEY_INDEX;
import static io.verbs4j.types.QueuePairAttribute.PORT;
import static io.verbs4j.types.QueuePairAttribute.QKEY;
import static io.verbs4j.types.QueuePairAttribute.RECEIVE_PSN;
import static io.verbs4j.types.QueuePairAttribute.RETRY_COUNT;
import static io.verbs4j.types.QueuePairAttribute.RNR_RETRY;
import static io.verbs4j.types.QueuePairAttribute.SEND_PSN;
import static io.verbs4j.types.QueuePairAttribute.SQD_ASYNC_NOTIFY;
import static io.verbs4j.types.QueuePairAttribute.STATE;
import static io.verbs4j.types.QueuePairAttribute.TIMEOUT;
import static io.verbs4j.types.QueuePairAttribute.mask;

import io.verbs4j.types.Access;
import io.verbs4j.types.DeviceAttributes;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The state machine of queue pairs: the transitions with their required and permitted attributes, by transport. It
/// follows `qp_state_table` in the kernel's drivers/infiniband/core/verbs.c (IBA vol. 1, 11.2.5.2). It explains
/// refusals, for which the kernel itself only returns `EINVAL`.
public final class QueuePairTransitions {
    /// The required and permitted attributes of a transition, in addition to [QueuePairAttribute#STATE].
    ///
    /// @param required bits of [QueuePairAttribute]
    /// @param optional bits of [QueuePairAttribute]
    public record Rule(int required, int optional) {}

    /// Rights that apply to regions only; drivers refuse them for queue pairs.
    private static final int OF_REGIONS = Access.mask(Access.ZERO_BASED, Access.HUGE_PAGES);

    private QueuePairTransitions() {}

    /// Returns the rule of a transition, or null if the transition does not exist.
    public static @Nullable Rule rule(QueuePairType type, QueuePairState from, QueuePairState to) {
        boolean connected = type != QueuePairType.UD;
        boolean reliable = type == QueuePairType.RC;
        return switch (to) {
            case RESET -> new Rule(0, 0);
            case ERR -> from == QueuePairState.RESET ? null : new Rule(0, 0);
            case INIT -> {
                int set = mask(PKEY_INDEX, PORT) | (connected ? ACCESS_FLAGS.bit() : QKEY.bit());
                yield switch (from) {
                    case RESET -> new Rule(set, 0);
                    case INIT -> new Rule(0, set);
                    default -> null;
                };
            }
            case RTR -> from == QueuePairState.INIT ? toReadyToReceive(connected, reliable) : null;
            case RTS -> toReadyToSend(from, connected, reliable);
            case SQD -> toDrained(from, connected, reliable);
            case SQE -> null;
        };
    }

    private static Rule toReadyToReceive(boolean connected, boolean reliable) {
        if (!connected) {
            return new Rule(0, mask(PKEY_INDEX, QKEY));
        }
        int required = mask(ADDRESS_VECTOR, PATH_MTU, DESTINATION_QP, RECEIVE_PSN);
        return new Rule(
                reliable ? required | mask(MAX_DESTINATION_READ_ATOMIC, MIN_RNR_TIMER) : required,
                mask(ALTERNATE_PATH, ACCESS_FLAGS, PKEY_INDEX));
    }

    private static @Nullable Rule toReadyToSend(QueuePairState from, boolean connected, boolean reliable) {
        int optional = CURRENT_STATE.bit()
                | (connected ? mask(ACCESS_FLAGS, ALTERNATE_PATH, PATH_MIGRATION_STATE) : QKEY.bit())
                | (reliable ? MIN_RNR_TIMER.bit() : 0);
        return switch (from) {
            case RTR ->
                new Rule(
                        SEND_PSN.bit() | (reliable ? mask(TIMEOUT, RETRY_COUNT, RNR_RETRY, MAX_READ_ATOMIC) : 0),
                        optional);
            case RTS, SQD -> new Rule(0, optional);
            case SQE ->
                reliable ? null : new Rule(0, CURRENT_STATE.bit() | (connected ? ACCESS_FLAGS.bit() : QKEY.bit()));
            default -> null;
        };
    }

    private static @Nullable Rule toDrained(QueuePairState from, boolean connected, boolean reliable) {
        return switch (from) {
            case RTS -> new Rule(0, SQD_ASYNC_NOTIFY.bit());
            case SQD -> {
                // According to the specification, a UC path can change here, too. However, uverbs adds the port to a
                // path (modify_qp, uverbs_cmd.c), which the kernel's table permits for RC only.
                int optional = PKEY_INDEX.bit()
                        | (connected ? mask(ALTERNATE_PATH, ACCESS_FLAGS, PATH_MIGRATION_STATE) : QKEY.bit());
                yield new Rule(
                        0,
                        reliable
                                ? optional
                                        | mask(
                                                ADDRESS_VECTOR,
                                                PORT,
                                                TIMEOUT,
                                                RETRY_COUNT,
                                                RNR_RETRY,
                                                MAX_READ_ATOMIC,
                                                MAX_DESTINATION_READ_ATOMIC,
                                                MIN_RNR_TIMER)
                                : optional);
            }
            default -> null;
        };
    }

    /// Returns the reason why the kernel refused to modify a queue pair, as far as it can be determined.
    ///
    /// @param present the queue pair's state at the refusal, and whether its send queue is draining
    /// @param limits limits of the device
    public static String explain(
            QueuePairType type, QueuePairAttributes present, QueuePairAttributes attributes, DeviceAttributes limits) {
        QueuePairState from = present.state();
        QueuePairState to = attributes.has(STATE) ? attributes.state() : from;
        var reasons = new ArrayList<String>(violations(type, from, to, attributes.mask()));
        if (attributes.has(CURRENT_STATE) && attributes.currentState() != from) {
            reasons.add("is not from " + attributes.currentState() + ", as CURRENT_STATE claims");
        }
        if (present.sendQueueDraining() && to != QueuePairState.ERR) {
            reasons.add("must wait for its send queue to drain; until then it can go to ERR only");
        }
        if (reasons.isEmpty()) {
            reasons.addAll(values(attributes, limits));
        }
        return transition(type, from, to)
                + (reasons.isEmpty()
                        ? " is allowed with these attributes, so one of their values is not: " + attributes.attributes()
                        : " " + String.join("; ", reasons));
    }

    /// Returns the name of a transition, such as `RC INIT → RTR`.
    public static String transition(QueuePairType type, QueuePairState from, QueuePairState to) {
        return type + " " + from + " → " + to;
    }

    /// Returns the violations of a transition's rule by a set of attributes, as clauses that continue [#transition];
    /// empty if there are none.
    ///
    /// @param mask bits of [QueuePairAttribute]
    public static List<String> violations(QueuePairType type, QueuePairState from, QueuePairState to, int mask) {
        Rule rule = rule(type, from, to);
        if (rule == null) {
            return List.of("is no transition of the state machine; from " + from + " one can go to "
                    + successors(type, from));
        }
        int given = mask & ~STATE.bit();
        var reasons = new ArrayList<String>();
        int missing = rule.required() & ~given;
        if (missing != 0) {
            reasons.add("misses " + QueuePairAttribute.of(missing));
        }
        int foreign = given & ~(rule.required() | rule.optional());
        if (foreign != 0) {
            reasons.add("does not allow " + QueuePairAttribute.of(foreign));
        }
        return reasons;
    }

    private static List<QueuePairState> successors(QueuePairType type, QueuePairState from) {
        var states = new ArrayList<QueuePairState>();
        for (QueuePairState to : QueuePairState.values()) {
            if (rule(type, from, to) != null) {
                states.add(to);
            }
        }
        return states;
    }

    private static List<String> values(QueuePairAttributes attributes, DeviceAttributes limits) {
        var reasons = new ArrayList<String>();
        if (attributes.has(PORT) && (attributes.port() < 1 || attributes.port() > limits.ports())) {
            reasons.add("names port " + attributes.port() + ", the device has ports 1.." + limits.ports());
        }
        if (attributes.has(PKEY_INDEX) && attributes.pkeyIndex() != 0) {
            reasons.add("uses P_Key index " + attributes.pkeyIndex() + ", RoCE ports have only index 0");
        }
        if (attributes.has(ACCESS_FLAGS) && (attributes.accessFlags() & OF_REGIONS) != 0) {
            reasons.add("permits " + Access.of(attributes.accessFlags() & OF_REGIONS)
                    + ", a right of memory regions only");
        }
        if (attributes.has(MAX_READ_ATOMIC) && attributes.maxReadAtomic() > limits.maxQueuePairInitReadAtomic()) {
            reasons.add("sets maxReadAtomic=" + attributes.maxReadAtomic() + " over the device's "
                    + limits.maxQueuePairInitReadAtomic());
        }
        if (attributes.has(MAX_DESTINATION_READ_ATOMIC)
                && attributes.maxDestinationReadAtomic() > limits.maxQueuePairReadAtomic()) {
            reasons.add("sets maxDestinationReadAtomic=" + attributes.maxDestinationReadAtomic()
                    + " over the device's " + limits.maxQueuePairReadAtomic());
        }
        if (attributes.has(ALTERNATE_PATH)) {
            reasons.add("sets an alternate path, which exists on InfiniBand only");
        }
        var path = attributes.addressVector();
        if (attributes.has(ADDRESS_VECTOR) && path != null) {
            reasons.add("has the path " + path
                    + ": its port must be the queue pair's, its source GID index must hold an entry, and both GIDs must"
                    + " be of one IP family");
        }
        return reasons;
    }
}
