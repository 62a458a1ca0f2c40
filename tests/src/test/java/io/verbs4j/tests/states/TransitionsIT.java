// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.states;

import static io.verbs4j.types.QueuePairState.ERR;
import static io.verbs4j.types.QueuePairState.RTR;
import static io.verbs4j.types.QueuePairState.RTS;
import static io.verbs4j.types.QueuePairState.SQD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.tests.support.Completions;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests every transition of every transport: from each state that rxe supports to each existing state, with the
/// attributes that the specification requires, without some of them, and with more than it permits.
@DeviceTest
@Covers("ibv_modify_qp")
@Needs.EachKernel
class TransitionsIT {
    private final Context context = Rxe.open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final CompletionQueue queue = context.createCompletionQueue(64);

    @AfterEach
    void close() {
        context.close();
    }

    private static Set<QueuePairState> statesOfRxe() {
        return EnumSet.complementOf(EnumSet.of(QueuePairState.SQE));
    }

    static Stream<Arguments> everyStart() {
        return Stream.of(QueuePairType.RC, QueuePairType.UC, QueuePairType.UD)
                .flatMap(type -> statesOfRxe().stream().map(from -> Arguments.of(type, from)));
    }

    static Stream<Arguments> everyTransition() {
        return Stream.of(QueuePairType.RC, QueuePairType.UC, QueuePairType.UD)
                .flatMap(type -> StateTable.TRANSITIONS.stream().sorted().map(name -> Arguments.of(type, name)));
    }

    @ParameterizedTest(name = "{0} from {1}")
    @MethodSource("everyStart")
    void goesWhereTheSpecificationAllowsAndNowhereElse(QueuePairType type, QueuePairState from) {
        for (QueuePairState to : QueuePairState.values()) {
            String transition = from + "-" + to;
            try (var looped = LoopedQueuePair.create(domain, type, queue).walkTo(from)) {
                var attributes = looped.attributes(to, StateTable.required(transition, type));
                var refusal = catchThrowable(() -> looped.queuePair().modify(attributes));
                var now = looped.queuePair().query().state();
                if (StateTable.TRANSITIONS.contains(transition)) {
                    assertThat(refusal).as("%s %s", type, transition).isNull();
                    assertThat(now).isEqualTo(to);
                } else {
                    assertThat(refusal)
                            .as("%s %s", type, transition)
                            .isInstanceOfSatisfying(
                                    VerbsException.class,
                                    e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
                            .hasMessageContaining(
                                    type + " " + from + " → " + to + " is no transition of the state machine");
                    assertThat(now).isEqualTo(from);
                }
            }
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("everyTransition")
    void takesWhatATransitionPermits(QueuePairType type, String transition) {
        var optional = EnumSet.noneOf(QueuePairAttribute.class);
        optional.addAll(StateTable.optional(transition, type));
        for (QueuePairAttribute attribute : optional) {
            try (var looped = LoopedQueuePair.create(domain, type, queue).walkTo(from(transition))) {
                assertThat(catchThrowable(
                        () -> looped.queuePair().modify(with(looped, transition, Set.of(attribute)))))
                        .as("%s %s with %s", type, transition, attribute)
                        .isNull();
            }
        }
        try (var looped = LoopedQueuePair.create(domain, type, queue).walkTo(from(transition))) {
            looped.queuePair().modify(with(looped, transition, optional));
            assertThat(looped.queuePair().query().state()).isEqualTo(to(transition));
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("everyTransition")
    void namesWhatATransitionDoesNotPermit(QueuePairType type, String transition) {
        try (var looped = LoopedQueuePair.create(domain, type, queue).walkTo(from(transition))) {
            for (QueuePairAttribute attribute : StateTable.foreign(transition, type)) {
                assertThatThrownBy(() -> looped.queuePair().modify(with(looped, transition, Set.of(attribute))))
                        .as("%s %s with %s", type, transition, attribute)
                        .isInstanceOf(VerbsException.class)
                        .hasMessageContainingAll("EINVAL", "does not allow [" + attribute + "]");
            }
            assertThat(looped.queuePair().query().state()).isEqualTo(from(transition));
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("everyTransition")
    void namesWhatATransitionMisses(QueuePairType type, String transition) {
        try (var looped = LoopedQueuePair.create(domain, type, queue).walkTo(from(transition))) {
            for (QueuePairAttribute attribute : StateTable.required(transition, type)) {
                var others = EnumSet.copyOf(StateTable.required(transition, type));
                others.remove(attribute);
                assertThatThrownBy(() -> looped.queuePair().modify(looped.attributes(to(transition), others)))
                        .as("%s %s without %s", type, transition, attribute)
                        .isInstanceOf(VerbsException.class)
                        .hasMessageContainingAll("EINVAL", "misses [" + attribute + "]");
            }
            assertThat(looped.queuePair().query().state()).isEqualTo(from(transition));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    void hasNoAlternatePath(QueuePairType type) {
        try (var looped = LoopedQueuePair.create(domain, type, queue).walkTo(SQD)) {
            assertThatThrownBy(() -> looped.queuePair()
                    .modify(looped.attributes(SQD, Set.of(QueuePairAttribute.ALTERNATE_PATH))))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContainingAll("EINVAL", "alternate path, which exists on InfiniBand only");
        }
    }

    @Test
    void saysThatAWrongPresentStateWasClaimed() {
        try (var looped = LoopedQueuePair.create(domain, QueuePairType.RC, queue).walkTo(RTR)) {
            var attributes = QueuePairAttributes.builder()
                    .state(RTS)
                    .currentState(ERR)
                    .sendPsn(0)
                    .timeout(14)
                    .retryCount(3)
                    .rnrRetry(3)
                    .maxReadAtomic(1)
                    .build();
            assertThatThrownBy(() -> looped.queuePair().modify(attributes))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContainingAll("EINVAL", "RC RTR → RTS is not from ERR, as CURRENT_STATE claims");
        }
    }

    /// The peer is in RESET and does not answer, and the requester waits long before it repeats the request. (Once it
    /// repeats the request, rxe considers the send queue drained.)
    @Test
    void waitsForTheSendQueueToDrain() {
        var silent = LoopedQueuePair.create(domain, QueuePairType.RC, queue).queuePair();
        var looped = LoopedQueuePair.create(domain, QueuePairType.RC, queue).walkTo(QueuePairState.INIT);
        var queuePair = looped.queuePair();
        queuePair.modify(QueuePairAttributes.builder()
                .state(RTR)
                .addressVector(AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(1)))
                .pathMtu(Mtu.MTU_1024)
                .destinationQueuePairNumber(silent.number())
                .receivePsn(0)
                .maxDestinationReadAtomic(1)
                .minRnrTimer(12)
                .build());
        queuePair.modify(QueuePairAttributes.builder()
                .state(RTS)
                .sendPsn(0)
                .timeout(24) // 69 s
                .retryCount(1)
                .rnrRetry(1)
                .maxReadAtomic(1)
                .build());
        try (var batch = queuePair.beginSend()) {
            assertThat(batch.signaled().send().inline(MemorySegment.NULL).post()).isTrue();
            batch.submit();
        }
        Eventually.until(() -> queuePair.query().sendPsn() == 1, () -> "not sent");
        queuePair.modify(looped.attributes(SQD, List.of()));

        for (QueuePairState state : new QueuePairState[]{RTS, SQD, QueuePairState.RESET}) {
            assertThatThrownBy(() -> queuePair.modify(looped.attributes(state, List.of())))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContainingAll("EINVAL", "must wait for its send queue to drain");
        }
        assertThat(queuePair.query().sendQueueDraining()).isTrue();
        queuePair.modify(looped.attributes(ERR, List.of()));
        assertThat(new Completions(queue, queuePair::toString).next().status())
                .isEqualTo(CompletionStatus.WORK_REQUEST_FLUSHED);
    }

    private static QueuePairAttributes with(
            LoopedQueuePair looped, String transition, Set<QueuePairAttribute> others) {
        var attributes = EnumSet.noneOf(QueuePairAttribute.class);
        attributes.addAll(StateTable.required(transition, looped.queuePair().type()));
        attributes.addAll(others);
        return looped.attributes(to(transition), attributes);
    }

    private static QueuePairState from(String transition) {
        return QueuePairState.valueOf(transition.substring(0, transition.indexOf('-')));
    }

    private static QueuePairState to(String transition) {
        return QueuePairState.valueOf(transition.substring(transition.indexOf('-') + 1));
    }
}
