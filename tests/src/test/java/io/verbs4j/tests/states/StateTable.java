// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.states;

import static io.verbs4j.types.QueuePairAttribute.ACCESS_FLAGS;
import static io.verbs4j.types.QueuePairAttribute.ADDRESS_VECTOR;
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
import static io.verbs4j.types.QueuePairAttribute.TIMEOUT;

import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairType;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The specification's rules for each transition (IBA vol. 1, 10.3.1 and 11.2.5.2), written down separately for the
/// tests, to verify the library's own table. The alternate path is omitted, because RoCE has none. So is the path of UC
/// in SQD, which Linux refuses: it adds the port to a path, but does not permit the port there.
final class StateTable {
    /// The transitions, as `FROM-TO`. SQE is missing, because rxe never enters it.
    static final Set<String> TRANSITIONS = Set.of(
            "RESET-RESET", "RESET-INIT",
            "INIT-RESET", "INIT-INIT", "INIT-RTR", "INIT-ERR",
            "RTR-RESET", "RTR-RTS", "RTR-ERR",
            "RTS-RESET", "RTS-RTS", "RTS-SQD", "RTS-ERR",
            "SQD-RESET", "SQD-RTS", "SQD-SQD", "SQD-ERR",
            "ERR-RESET", "ERR-ERR");

    private static final Set<QueuePairAttribute> NONE = Set.of();
    private static final Map<QueuePairType, Set<QueuePairAttribute>> OF_INIT = Map.of(
            QueuePairType.RC, Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS),
            QueuePairType.UC, Set.of(PKEY_INDEX, PORT, ACCESS_FLAGS),
            QueuePairType.UD, Set.of(PKEY_INDEX, PORT, QKEY));
    private static final Map<QueuePairType, Set<QueuePairAttribute>> SENDING = Map.of(
            QueuePairType.RC, Set.of(CURRENT_STATE, ACCESS_FLAGS, MIN_RNR_TIMER, PATH_MIGRATION_STATE),
            QueuePairType.UC, Set.of(CURRENT_STATE, ACCESS_FLAGS, PATH_MIGRATION_STATE),
            QueuePairType.UD, Set.of(CURRENT_STATE, QKEY));

    private static final Map<String, Map<QueuePairType, Set<QueuePairAttribute>>> REQUIRED = Map.of(
            "RESET-INIT", OF_INIT,
            "INIT-RTR", Map.of(
                    QueuePairType.RC,
                    Set.of(ADDRESS_VECTOR, PATH_MTU, DESTINATION_QP, RECEIVE_PSN, MAX_DESTINATION_READ_ATOMIC,
                            MIN_RNR_TIMER),
                    QueuePairType.UC, Set.of(ADDRESS_VECTOR, PATH_MTU, DESTINATION_QP, RECEIVE_PSN),
                    QueuePairType.UD, NONE),
            "RTR-RTS", Map.of(
                    QueuePairType.RC, Set.of(SEND_PSN, TIMEOUT, RETRY_COUNT, RNR_RETRY, MAX_READ_ATOMIC),
                    QueuePairType.UC, Set.of(SEND_PSN),
                    QueuePairType.UD, Set.of(SEND_PSN)));

    private static final Map<String, Map<QueuePairType, Set<QueuePairAttribute>>> OPTIONAL = Map.of(
            "INIT-INIT", OF_INIT,
            "INIT-RTR", Map.of(
                    QueuePairType.RC, Set.of(PKEY_INDEX, ACCESS_FLAGS),
                    QueuePairType.UC, Set.of(PKEY_INDEX, ACCESS_FLAGS),
                    QueuePairType.UD, Set.of(PKEY_INDEX, QKEY)),
            "RTR-RTS", SENDING,
            "RTS-RTS", SENDING,
            "SQD-RTS", SENDING,
            "RTS-SQD", Map.of(
                    QueuePairType.RC, Set.of(SQD_ASYNC_NOTIFY),
                    QueuePairType.UC, Set.of(SQD_ASYNC_NOTIFY),
                    QueuePairType.UD, Set.of(SQD_ASYNC_NOTIFY)),
            "SQD-SQD", Map.of(
                    QueuePairType.RC,
                    Set.of(PORT, ADDRESS_VECTOR, TIMEOUT, RETRY_COUNT, RNR_RETRY, MAX_READ_ATOMIC,
                            MAX_DESTINATION_READ_ATOMIC, ACCESS_FLAGS, PKEY_INDEX, MIN_RNR_TIMER,
                            PATH_MIGRATION_STATE),
                    QueuePairType.UC, Set.of(ACCESS_FLAGS, PKEY_INDEX, PATH_MIGRATION_STATE),
                    QueuePairType.UD, Set.of(PKEY_INDEX, QKEY)));

    private StateTable() {}

    /// Returns what a transition needs, besides the state.
    static Set<QueuePairAttribute> required(String transition, QueuePairType type) {
        return REQUIRED.getOrDefault(transition, Map.of()).getOrDefault(type, NONE);
    }

    /// Returns what it permits besides.
    static Set<QueuePairAttribute> optional(String transition, QueuePairType type) {
        return OPTIONAL.getOrDefault(transition, Map.of()).getOrDefault(type, NONE);
    }

    /// Returns what it neither needs nor permits, among the attributes that a RoCE device can have.
    static List<QueuePairAttribute> foreign(String transition, QueuePairType type) {
        var foreign = EnumSet.complementOf(
                EnumSet.of(QueuePairAttribute.STATE, QueuePairAttribute.ALTERNATE_PATH));
        foreign.removeAll(required(transition, type));
        foreign.removeAll(optional(transition, type));
        return List.copyOf(foreign);
    }
}
