// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.states;

import static io.verbs4j.types.QueuePairState.ERR;
import static io.verbs4j.types.QueuePairState.INIT;
import static io.verbs4j.types.QueuePairState.RESET;
import static io.verbs4j.types.QueuePairState.RTR;
import static io.verbs4j.types.QueuePairState.RTS;
import static io.verbs4j.types.QueuePairState.SQD;

import io.verbs4j.CompletionQueue;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.util.Collection;
import java.util.List;

/// A queue pair that is connected with itself, walked through its states attribute by attribute.
record LoopedQueuePair(QueuePair queuePair) implements AutoCloseable {
    static LoopedQueuePair create(ProtectionDomain domain, QueuePairType type, CompletionQueue queue) {
        return new LoopedQueuePair(domain.queuePair(type, queue).create());
    }

    /// Takes it from RESET to a state by the shortest way.
    LoopedQueuePair walkTo(QueuePairState state) {
        QueuePairState from = RESET;
        for (QueuePairState to : wayTo(state)) {
            queuePair.modify(attributes(to, StateTable.required(from + "-" + to, queuePair.type())));
            from = to;
        }
        awaitDrained();
        return this;
    }

    /// Waits until it has drained, which it does after each move to SQD, even from SQD. Until then it can only move to
    /// ERR.
    void awaitDrained() {
        Eventually.until(() -> !queuePair.query().sendQueueDraining(), () -> "still draining");
    }

    private static List<QueuePairState> wayTo(QueuePairState state) {
        return switch (state) {
            case RESET -> List.of();
            case INIT -> List.of(INIT);
            case RTR -> List.of(INIT, RTR);
            case RTS -> List.of(INIT, RTR, RTS);
            case SQD -> List.of(INIT, RTR, RTS, SQD);
            case ERR -> List.of(INIT, ERR);
            case SQE -> throw new IllegalArgumentException("rxe never enters it");
        };
    }

    /// A state, and valid values of other attributes.
    QueuePairAttributes attributes(QueuePairState state, Collection<QueuePairAttribute> others) {
        var builder = QueuePairAttributes.builder().state(state);
        others.forEach(attribute -> set(builder, attribute));
        return builder.build();
    }

    private void set(QueuePairAttributes.Builder builder, QueuePairAttribute attribute) {
        switch (attribute) {
            case STATE -> throw new IllegalArgumentException("set already");
            case CURRENT_STATE -> builder.currentState(queuePair.state());
            case SQD_ASYNC_NOTIFY -> builder.sqdAsyncNotify(true);
            case ACCESS_FLAGS -> builder.accessFlags(0);
            case PKEY_INDEX -> builder.pkeyIndex(0);
            case PORT -> builder.port(1);
            case QKEY -> builder.qkey(0x1234);
            case ADDRESS_VECTOR -> builder.addressVector(AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(1)));
            case PATH_MTU -> builder.pathMtu(Mtu.MTU_1024);
            case TIMEOUT -> builder.timeout(14);
            case RETRY_COUNT -> builder.retryCount(3);
            case RNR_RETRY -> builder.rnrRetry(7);
            case RECEIVE_PSN -> builder.receivePsn(17);
            case MAX_READ_ATOMIC -> builder.maxReadAtomic(1);
            case ALTERNATE_PATH -> builder.alternatePath(AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(1)));
            case MIN_RNR_TIMER -> builder.minRnrTimer(12);
            case SEND_PSN -> builder.sendPsn(17);
            case MAX_DESTINATION_READ_ATOMIC -> builder.maxDestinationReadAtomic(16);
            case PATH_MIGRATION_STATE -> builder.pathMigrationState(0);
            case CAPABILITIES -> builder.capabilities(new QueuePairCapabilities(1, 1, 1, 1, 0));
            case DESTINATION_QP -> builder.destinationQueuePairNumber(queuePair.number());
        }
    }

    @Override
    public void close() {
        queuePair.close();
    }
}
