// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.pyverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairCapabilities;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Queue pairs and their states, as in `test_qp.py`. Java has one way to create them, so the suite's plain and extended
/// forms are one scenario.
@PyverbsScenarios
@Covers({"ibv_create_qp", "ibv_create_qp_ex", "ibv_destroy_qp", "ibv_query_qp"})
@Needs.OneKernel
class PyverbsQpIT {
    private final Context context = Rxe.open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final CompletionQueue queue = context.createCompletionQueue(100);

    @AfterEach
    void close() {
        context.close();
    }

    private QueuePairBuilder builder(QueuePairType type) {
        return domain.queuePair(type, queue);
    }

    @Test
    @Scenario({"test_qp.QPTest.test_create_rc_qp_no_attr", "test_qp.QPTest.test_create_rc_qp_ex_no_attr"})
    void createsAReliableConnectionInReset() {
        try (QueuePair queuePair = builder(QueuePairType.RC).create()) {
            assertThat(queuePair.type()).isEqualTo(QueuePairType.RC);
            assertThat(queuePair.query().state()).isEqualTo(QueuePairState.RESET);
        }
    }

    @Test
    @Scenario({"test_qp.QPTest.test_create_rc_qp_with_attr", "test_qp.QPTest.test_create_rc_qp_ex_with_attr"})
    void createsAReliableConnectionInInit() {
        try (
                var prepared = builder(QueuePairType.RC).prepare();
                var batch = prepared.beginReceive()) {
            assertThat(batch.submit()).isZero(); // what only a queue pair beyond RESET takes
        }
    }

    @Test
    @Scenario("test_qp.QPTest.test_query_rc_qp")
    void queriesAReliableConnection() {
        assertHoldsWhatWasAskedFor(QueuePairType.RC);
    }

    @Test
    @Scenario({"test_qp.QPTest.test_create_uc_qp_no_attr", "test_qp.QPTest.test_create_uc_qp_ex_no_attr"})
    void createsAnUnreliableConnectionInReset() {
        try (QueuePair queuePair = builder(QueuePairType.UC).create()) {
            assertThat(queuePair.type()).isEqualTo(QueuePairType.UC);
            assertThat(queuePair.query().state()).isEqualTo(QueuePairState.RESET);
        }
    }

    @Test
    @Scenario({"test_qp.QPTest.test_create_uc_qp_with_attr", "test_qp.QPTest.test_create_uc_qp_ex_with_attr"})
    void createsAnUnreliableConnectionInInit() {
        try (
                var prepared = builder(QueuePairType.UC).prepare();
                var batch = prepared.beginReceive()) {
            assertThat(batch.submit()).isZero(); // what only a queue pair beyond RESET takes
        }
    }

    @Test
    @Scenario("test_qp.QPTest.test_query_uc_qp")
    void queriesAnUnreliableConnection() {
        assertHoldsWhatWasAskedFor(QueuePairType.UC);
    }

    @Test
    @Scenario({"test_qp.QPTest.test_create_ud_qp_no_attr", "test_qp.QPTest.test_create_ud_qp_ex_no_attr"})
    void createsADatagramQueuePairInReset() {
        try (QueuePair queuePair = builder(QueuePairType.UD).create()) {
            assertThat(queuePair.type()).isEqualTo(QueuePairType.UD);
            assertThat(queuePair.query().state()).isEqualTo(QueuePairState.RESET);
        }
    }

    @Test
    @Scenario({"test_qp.QPTest.test_create_ud_qp_with_attr", "test_qp.QPTest.test_create_ud_qp_ex_with_attr"})
    void createsADatagramQueuePairInRts() {
        try (QueuePair queuePair = builder(QueuePairType.UD).prepare().start()) {
            assertThat(queuePair.query().state()).isEqualTo(QueuePairState.RTS);
        }
    }

    @Test
    @Scenario("test_qp.QPTest.test_query_ud_qp")
    void queriesADatagramQueuePair() {
        assertHoldsWhatWasAskedFor(QueuePairType.UD);
    }

    private void assertHoldsWhatWasAskedFor(QueuePairType type) {
        var random = RandomGenerator.getDefault();
        int sends = random.nextInt(1, 5000);
        int receives = random.nextInt(1, 5000);
        int elements = random.nextInt(1, 16);
        try (
                QueuePair queuePair = builder(type)
                        .maxSends(sends)
                        .maxReceives(receives)
                        .maxSendScatterGather(elements)
                        .maxReceiveScatterGather(elements)
                        .create()) {
            var answer = queuePair.query(QueuePairAttribute.STATE, QueuePairAttribute.CAPABILITIES);
            assertThat(answer.state()).isEqualTo(QueuePairState.RESET);
            QueuePairCapabilities capabilities = answer.capabilities();
            assertThat(capabilities).isNotNull();
            assertThat(capabilities.maxSendWorkRequests()).isGreaterThanOrEqualTo(sends);
            assertThat(capabilities.maxReceiveWorkRequests()).isGreaterThanOrEqualTo(receives);
            assertThat(capabilities.maxSendScatterGather()).isGreaterThanOrEqualTo(elements);
            assertThat(capabilities.maxReceiveScatterGather()).isGreaterThanOrEqualTo(elements);
        }
    }

    @Test
    @Scenario("test_qp.QPTest.test_create_raw_qp_ex_with_illegal_caps_max_send_wr")
    void createsNoneForTooManySends() {
        assertRefused(builder -> builder.maxSends(Integer.MAX_VALUE));
    }

    @Test
    @Scenario("test_qp.QPTest.test_create_raw_qp_ex_with_illegal_caps_max_recv_wr")
    void createsNoneForTooManyReceives() {
        assertRefused(builder -> builder.maxReceives(Integer.MAX_VALUE));
    }

    @Test
    @Scenario("test_qp.QPTest.test_create_raw_qp_ex_with_illegal_caps_max_send_sge")
    void createsNoneForTooManyElementsOfASend() {
        assertRefused(builder -> builder.maxSendScatterGather(0xffff));
    }

    @Test
    @Scenario("test_qp.QPTest.test_create_raw_qp_ex_with_illegal_caps_max_recv_sge")
    void createsNoneForTooManyElementsOfAReceive() {
        assertRefused(builder -> builder.maxReceiveScatterGather(0xffff));
    }

    private void assertRefused(UnaryOperator<QueuePairBuilder> change) {
        assertThatThrownBy(() -> change.apply(builder(QueuePairType.UD)).create())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Covers("ibv_modify_qp")
    @Scenario("test_qp.QPTest.test_modify_ud_qp")
    void walksADatagramQueuePairThroughItsStates() {
        try (QueuePair queuePair = builder(QueuePairType.UD).create()) {
            queuePair.modify(QueuePairAttributes.builder()
                    .state(QueuePairState.INIT)
                    .port(1)
                    .pkeyIndex(0)
                    .qkey(0x123)
                    .build());
            assertThat(queuePair.query(QueuePairAttribute.QKEY).qkey()).isEqualTo(0x123);
            queuePair.modify(
                    QueuePairAttributes.builder().state(QueuePairState.RTR).build());
            queuePair.modify(QueuePairAttributes.builder()
                    .state(QueuePairState.RTS)
                    .sendPsn(0x45)
                    .build());
            assertThat(queuePair.query(QueuePairAttribute.SEND_PSN).sendPsn()).isEqualTo(0x45);
            queuePair.modify(
                    QueuePairAttributes.builder().state(QueuePairState.RESET).build());
            assertThat(queuePair.query().state()).isEqualTo(QueuePairState.RESET);
        }
    }

    @Test
    @Covers("ibv_modify_qp")
    @Scenario("test_qp.QPTest.test_create_ud_qp_with_privileged_qkey")
    void takesAPrivilegedQkey() {
        int privileged = 1 << 31; // takes CAP_NET_RAW
        try (QueuePair queuePair = builder(QueuePairType.UD).create()) {
            queuePair.modify(QueuePairAttributes.builder()
                    .state(QueuePairState.INIT)
                    .port(1)
                    .pkeyIndex(0)
                    .qkey(privileged)
                    .build());
            assertThat(queuePair.query(QueuePairAttribute.QKEY).qkey()).isEqualTo(privileged);
        }
    }

    @Test
    @Covers("ibv_modify_qp")
    @Scenario("test_qp.RCQPTest.test_modify_rc_qp_rd_atomic")
    void takesAtLeastAsManyReadsAtATimeAsWasAskedFor() {
        try (var players = Players.of(Setup.rc().queuePair(builder -> builder.readAtomic(12)))) {
            var answer = players.server()
                    .queuePair()
                    .query(QueuePairAttribute.MAX_READ_ATOMIC, QueuePairAttribute.MAX_DESTINATION_READ_ATOMIC);
            assertThat(answer.maxReadAtomic()).isGreaterThanOrEqualTo(12);
            assertThat(answer.maxDestinationReadAtomic()).isGreaterThanOrEqualTo(12);
        }
    }
}
