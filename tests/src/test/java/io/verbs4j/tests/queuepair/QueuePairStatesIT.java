// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static io.verbs4j.types.QueuePairState.ERR;
import static io.verbs4j.types.QueuePairState.INIT;
import static io.verbs4j.types.QueuePairState.RESET;
import static io.verbs4j.types.QueuePairState.RTR;
import static io.verbs4j.types.QueuePairState.RTS;
import static io.verbs4j.types.QueuePairState.SQD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionRecord;
import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.tests.support.AnyDevice.AlsoOverMlx5;
import io.verbs4j.tests.support.Completions;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.tests.support.Wire;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Errno;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The state machine of reliable connections by hand: what each transition needs, and how a refusal is explained.
@DeviceTest
@AlsoOverMlx5
@Covers("ibv_modify_qp")
@Needs.EachKernel
class QueuePairStatesIT {
    private final Context context = Rxe.open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final CompletionQueue queue = context.createCompletionQueue(64);
    private final QueuePair queuePair = domain.reliableConnection(queue).create();
    private final Completions completions = new Completions(queue, () -> queuePair.query().toString());

    @AfterEach
    void close() {
        context.close();
    }

    /// On mlx5, a queue pair for 0 receives has no receive queue. On rxe, its receive queue is always full.
    @Test
    void withoutAReceiveQueueTakesNoReceives() {
        QueuePair sender = domain.reliableConnection(queue).maxReceives(0).create();
        assertThatThrownBy(sender::beginReceive).isInstanceOf(IllegalStateException.class)
                .hasMessage(sender + (Wire.isMlx5()
                        ? " has no receive queue: it was created for 0 receives"
                        : " is in RESET: receives can be posted from INIT on"));
    }

    @Test
    @Covers("ibv_query_qp")
    void goesThroughAllStates() {
        for (QueuePairState state : new QueuePairState[]{INIT, RTR, RTS, SQD, RTS, ERR, RESET, INIT}) {
            queuePair.modify(to(state));

            assertThat(queuePair.state()).isEqualTo(state);
            assertThat(queuePair.query().state()).isEqualTo(state);
            Eventually.until(() -> !queuePair.query().sendQueueDraining(), () -> "still draining");
        }
    }

    @Test
    void explainsATransitionThatDoesNotExist() {
        assertThatThrownBy(() -> queuePair.modify(to(RTR)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContainingAll(
                        "EINVAL",
                        "RC RESET → RTR is no transition of the state machine; from RESET one can go to [RESET, INIT]");
        assertThat(queuePair.state()).isEqualTo(RESET);
    }

    @ParameterizedTest
    @EnumSource(names = {"RTS", "SQD", "ERR"})
    void refusesToLeaveResetForAnythingButInit(QueuePairState state) {
        assertThatThrownBy(() -> queuePair.modify(to(state)))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("RC RESET → " + state + " is no transition");
    }

    @Test
    void namesTheAttributesThatATransitionMisses() {
        var attributes = QueuePairAttributes.builder().state(INIT).pkeyIndex(0).build();
        assertThatThrownBy(() -> queuePair.modify(attributes))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("RC RESET → INIT misses [ACCESS_FLAGS, PORT]");
    }

    @Test
    void namesTheAttributesThatATransitionDoesNotAllow() {
        var attributes = QueuePairAttributes.builder()
                .state(INIT)
                .pkeyIndex(0)
                .port(1)
                .accessFlags(0)
                .receivePsn(17)
                .build();
        assertThatThrownBy(() -> queuePair.modify(attributes))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("RC RESET → INIT does not allow [RECEIVE_PSN]");
    }

    @Test
    void namesAPortThatIsNotThere() {
        var attributes = QueuePairAttributes.builder()
                .state(INIT)
                .pkeyIndex(0)
                .port(2)
                .accessFlags(0)
                .build();
        assertThatThrownBy(() -> queuePair.modify(attributes))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("names port 2, the device has ports 1..1");
    }

    @Test
    void namesAValueOverTheDevicesLimit() {
        goTo(RTR);
        var attributes = toReadyToSend().maxReadAtomic(200).build();
        assertThatThrownBy(() -> queuePair.modify(attributes))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("maxReadAtomic=200 over the device's 128");
    }

    @Test
    void saysThatTheSourceGidIsEmpty() {
        queuePair.modify(to(INIT));
        var attributes = toReadyToReceive()
                .addressVector(AddressVector.roce(1, 200, Rxe.gid(1)))
                .build();
        assertThatThrownBy(() -> queuePair.modify(attributes))
                .isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODATA))
                .hasMessageContaining("empty slot");
        assertThat(queuePair.query().state()).isEqualTo(INIT);
    }

    @Test
    void explainsThatRoceHasNoAlternatePath() {
        queuePair.modify(to(INIT));
        var attributes = toReadyToReceive()
                .alternatePath(AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(1)))
                .build();
        assertThatThrownBy(() -> queuePair.modify(attributes))
                .isInstanceOf(VerbsException.class)
                .hasMessageContaining("alternate path");
    }

    @Test
    void checksAttributesWithoutAStateOnlyOnOlderKernels() {
        queuePair.modify(to(INIT));
        queuePair.modify(to(RTR));
        queuePair.modify(to(RTS));
        var portAlone = QueuePairAttributes.builder().port(1).build();
        if (Kernel.checksAttributesOnlyWithState()) {
            assertThatCode(() -> queuePair.modify(portAlone)).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> queuePair.modify(portAlone))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContaining("RC RTS → RTS does not allow [PORT]");
        }
    }

    @ParameterizedTest
    @Scenario("test_qpex.QpExTestCase.test_post_send_qp_state_bad_flow")
    @EnumSource(names = {"RESET", "INIT", "RTR"})
    void refusesSendsBeforeRts(QueuePairState state) {
        goTo(state);
        assertThatThrownBy(queuePair::beginSend)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(queuePair + " is in " + state + ": sends can be posted from RTS on");
    }

    @Test
    @Scenario("test_qpex.QpExTestCase.test_post_receive_qp_state_bad_flow")
    void refusesReceivesInReset() {
        assertThatThrownBy(queuePair::beginReceive)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(queuePair + " is in RESET: receives can be posted from INIT on");
    }

    @ParameterizedTest
    @Scenario({
            "test_qp.QPTest.test_create_rc_qp_ex_with_attr",
            "test_qp.QPTest.test_create_rc_qp_with_attr"
    })
    @EnumSource(names = {"INIT", "RTR", "RTS"})
    void takesReceivesFromInitOn(QueuePairState state) {
        goTo(state);
        assertThatCode(() -> receive(1)).doesNotThrowAnyException();
    }

    @Test
    void isNotResetDuringABatch() {
        goTo(RTS);
        try (var batch = queuePair.beginSend()) {
            assertThatThrownBy(() -> queuePair.modify(to(RESET)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("a batch of sends", queuePair.toString(), "is open");
            assertThat(batch.submit()).isZero();
        }
        assertThat(queuePair.query().state()).isEqualTo(RTS);
    }

    @Test
    void worksAgainAfterAReset() {
        for (int round = 0; round < 3; round++) {
            goTo(RTS);
            receive(1);
            sendToItself();
            completions.nextSuccesses(2);
            queuePair.modify(to(ERR));
            queuePair.modify(to(RESET));
        }
        completions.assertNone();
    }

    @Test
    void forgetsWhatWasPostedWhenItIsReset() {
        goTo(RTS);
        receive(1);
        queuePair.modify(to(RESET));
        goTo(RTS);
        receive(2);
        sendToItself();

        assertThat(completions.nextSuccesses(2))
                .filteredOn(completion -> completion.opcode().isReceive())
                .extracting(CompletionRecord::workRequestId)
                .containsExactly(2L);
    }

    private void receive(long id) {
        try (var batch = queuePair.beginReceive()) {
            assertThat(batch.workRequestId(id).post(0, 0, 0)).isTrue();
            batch.submit();
        }
    }

    private void sendToItself() {
        try (var batch = queuePair.beginSend()) {
            assertThat(batch.signaled().send().inline(MemorySegment.NULL).post()).isTrue();
            batch.submit();
        }
    }

    private void goTo(QueuePairState state) {
        for (QueuePairState next : new QueuePairState[]{INIT, RTR, RTS}) {
            if (next.value() <= state.value()) {
                queuePair.modify(to(next));
            }
        }
    }

    /// The attributes that take a queue pair, connected with itself, to a state.
    private QueuePairAttributes to(QueuePairState state) {
        var attributes = QueuePairAttributes.builder().state(state);
        return switch (state) {
            case INIT -> attributes.pkeyIndex(0).port(1).accessFlags(0).build();
            case RTR -> toReadyToReceive().build();
            case RTS -> queuePair.state() == SQD ? attributes.build() : toReadyToSend().build();
            default -> attributes.build();
        };
    }

    private static QueuePairAttributes.Builder toReadyToSend() {
        return QueuePairAttributes.builder()
                .state(RTS)
                .sendPsn(0)
                .timeout(14)
                .retryCount(3)
                .rnrRetry(3)
                .maxReadAtomic(1);
    }

    private QueuePairAttributes.Builder toReadyToReceive() {
        return QueuePairAttributes.builder()
                .state(RTR)
                .addressVector(AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(1)))
                .pathMtu(Mtu.MTU_1024)
                .destinationQueuePairNumber(queuePair.number())
                .receivePsn(0)
                .maxDestinationReadAtomic(1)
                .minRnrTimer(12);
    }
}
