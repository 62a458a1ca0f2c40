// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.states;

import static io.verbs4j.types.QueuePairState.INIT;
import static io.verbs4j.types.QueuePairState.RESET;
import static io.verbs4j.types.QueuePairState.RTR;
import static io.verbs4j.types.QueuePairState.RTS;
import static io.verbs4j.types.QueuePairState.SQD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.Unguarded;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import io.verbs4j.types.Mtu;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.VerbsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tests that a query returns what a modify sets: attribute by attribute, in the states that take them.
@DeviceTest
@Covers({"ibv_modify_qp", "ibv_query_qp"})
@Needs.EachKernel
class AttributesIT {
    private final Context context = Rxe.open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final CompletionQueue queue = context.createCompletionQueue(16);

    @AfterEach
    void close() {
        context.close();
    }

    private LoopedQueuePair looped(QueuePairType type, QueuePairState state) {
        return LoopedQueuePair.create(domain, type, queue).walkTo(state);
    }

    private static QueuePairAttributes.Builder in(QueuePairState state) {
        return QueuePairAttributes.builder().state(state);
    }

    @ParameterizedTest
    @Scenario({
            "test_qp.QPTest.test_create_rc_qp_ex_no_attr",
            "test_qp.QPTest.test_create_rc_qp_no_attr",
            "test_qp.QPTest.test_create_uc_qp_ex_no_attr",
            "test_qp.QPTest.test_create_uc_qp_no_attr",
            "test_qp.QPTest.test_create_ud_qp_ex_no_attr",
            "test_qp.QPTest.test_create_ud_qp_no_attr",
            "test_qp.QPTest.test_query_rc_qp",
            "test_qp.QPTest.test_query_uc_qp",
            "test_qp.QPTest.test_query_ud_qp"
    })
    @EnumSource(names = {"RC", "UC", "UD"})
    void aNewQueuePairHasNoneButItsSizes(QueuePairType type) {
        var queuePair = looped(type, RESET).queuePair();
        var attributes = queuePair.query();
        assertThat(attributes.state()).isEqualTo(RESET);
        assertThat(attributes.destinationQueuePairNumber()).isZero();
        assertThat(attributes.sendQueueDraining()).isFalse();
        assertThat(attributes.capabilities().maxSendScatterGather())
                .isEqualTo(queuePair.capabilities().maxSendScatterGather());
    }

    @Test
    void aConnectionReportsAllThatWasSet() {
        var queuePair = LoopedQueuePair.create(domain, QueuePairType.RC, queue).queuePair();
        queuePair.modify(in(INIT).pkeyIndex(0).port(1).access(Access.REMOTE_READ).build());
        var path = new AddressVector(Rxe.gid(1), Rxe.IPV4_INDEX, 0x12345, 33, 0x44, 0, 1, 0);
        queuePair.modify(in(RTR)
                .addressVector(path)
                .pathMtu(Mtu.MTU_512)
                .destinationQueuePairNumber(queuePair.number())
                .receivePsn(0xabcdef)
                .maxDestinationReadAtomic(8)
                .minRnrTimer(31)
                .build());
        queuePair.modify(in(RTS)
                .sendPsn(0x123456)
                .timeout(31)
                .retryCount(5)
                .rnrRetry(4)
                .maxReadAtomic(16)
                .build());

        var attributes = queuePair.query();
        assertThat(attributes.state()).isEqualTo(RTS);
        assertThat(attributes.accessFlags()).isEqualTo(Access.REMOTE_READ.value());
        assertThat(attributes.port()).isEqualTo(1);
        assertThat(attributes.pkeyIndex()).isZero();
        assertThat(attributes.pathMtu()).isEqualTo(Mtu.MTU_512);
        assertThat(attributes.destinationQueuePairNumber()).isEqualTo(queuePair.number());
        assertThat(attributes.receivePsn()).isEqualTo(0xabcdef);
        assertThat(attributes.sendPsn()).isEqualTo(0x123456);
        assertThat(attributes.maxDestinationReadAtomic()).isEqualTo(8);
        assertThat(attributes.maxReadAtomic()).isEqualTo(16);
        assertThat(attributes.minRnrTimer()).isEqualTo(31);
        assertThat(attributes.timeout()).isEqualTo(31);
        assertThat(attributes.retryCount()).isEqualTo(5);
        assertThat(attributes.rnrRetry()).isEqualTo(4);
        assertThat(attributes.addressVector()).isNotNull();
        assertThat(attributes.addressVector().destinationGid()).isEqualTo(path.destinationGid());
        assertThat(attributes.addressVector().sourceGidIndex()).isEqualTo(path.sourceGidIndex());
        assertThat(attributes.addressVector().flowLabel()).isEqualTo(path.flowLabel());
        assertThat(attributes.addressVector().trafficClass()).isEqualTo(path.trafficClass());
    }

    @Test
    void aConnectionTakesNewValuesWhileItsSendQueueIsDrained() {
        var queuePair = looped(QueuePairType.RC, SQD).queuePair();
        queuePair.modify(in(SQD)
                .timeout(20)
                .retryCount(2)
                .rnrRetry(1)
                .maxReadAtomic(2)
                .maxDestinationReadAtomic(4)
                .minRnrTimer(7)
                .access(Access.REMOTE_WRITE)
                .addressVector(AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(2)))
                .build());

        var attributes = queuePair.query();
        assertThat(attributes.timeout()).isEqualTo(20);
        assertThat(attributes.retryCount()).isEqualTo(2);
        assertThat(attributes.rnrRetry()).isEqualTo(1);
        assertThat(attributes.maxReadAtomic()).isEqualTo(2);
        assertThat(attributes.maxDestinationReadAtomic()).isEqualTo(4);
        assertThat(attributes.minRnrTimer()).isEqualTo(7);
        assertThat(attributes.accessFlags()).isEqualTo(Access.REMOTE_WRITE.value());
        assertThat(attributes.addressVector().destinationGid()).isEqualTo(Rxe.gid(2));
    }

    @Test
    void aWorkingConnectionTakesItsRightsAndItsTimer() {
        var queuePair = looped(QueuePairType.RC, RTS).queuePair();
        queuePair.modify(in(RTS).access(Access.REMOTE_ATOMIC).minRnrTimer(3).build());
        assertThat(queuePair.query().accessFlags()).isEqualTo(Access.REMOTE_ATOMIC.value());
        assertThat(queuePair.query().minRnrTimer()).isEqualTo(3);
    }

    @Test
    @Scenario("test_qp.QPTest.test_modify_ud_qp")
    void aDatagramQueuePairTakesItsQkeyInEachState() {
        for (QueuePairState state : new QueuePairState[]{INIT, RTS, SQD}) {
            var queuePair = looped(QueuePairType.UD, state).queuePair();
            queuePair.modify(in(state).qkey(0x7654_0000 + state.value()).build());
            assertThat(queuePair.query().qkey()).isEqualTo(0x7654_0000 + state.value());
        }
    }

    /// The specification knows no powers here; rxe sizes its table of resources so.
    @Test
    @Scenario("test_qp.RCQPTest.test_modify_rc_qp_rd_atomic")
    void readsAtATimeAreRoundedUpToAPowerOfTwo() {
        var queuePair = looped(QueuePairType.RC, SQD).queuePair();
        queuePair.modify(in(SQD).maxReadAtomic(5).maxDestinationReadAtomic(9).build());
        assertThat(queuePair.query().maxReadAtomic()).isEqualTo(8);
        assertThat(queuePair.query().maxDestinationReadAtomic()).isEqualTo(16);
    }

    /// The kernel would write behind its table of them. We refuse it before it is asked.
    @Test
    void incomingReadsAtATimeAreNeverRaised() {
        var looped = looped(QueuePairType.RC, SQD);
        var queuePair = looped.queuePair();
        queuePair.modify(in(SQD).maxDestinationReadAtomic(4).build());
        assertThatThrownBy(() -> queuePair.modify(in(SQD).maxDestinationReadAtomic(5).build()))
                .isInstanceOf(NotSupportedException.class)
                .hasMessageContaining("cannot raise maxDestinationReadAtomic from 4 to 8");
        looped.awaitDrained();
        queuePair.modify(in(RESET).build());
        assertThatThrownBy(() -> looped.walkTo(RTR))
                .isInstanceOf(NotSupportedException.class)
                .hasMessageContaining("from 4 to 16, even after a reset");
        assertThat(queuePair.query().state()).isEqualTo(INIT);
    }

    @Test
    void aQueryOfOneAttributeMayAnswerMore() {
        var queuePair = looped(QueuePairType.RC, RTS).queuePair();
        var attributes = queuePair.query(QueuePairAttribute.TIMEOUT);
        assertThat(attributes.timeout()).isEqualTo(14);
        assertThat(attributes.state()).isEqualTo(RTS);
        assertThat(queuePair.query().currentState()).isEqualTo(RTS);
    }

    @Test
    void rightsOfRegionsAreNoneOfAQueuePair() {
        var queuePair = looped(QueuePairType.RC, INIT).queuePair();
        var attributes = in(INIT).access(Access.ZERO_BASED).build();
        if (Kernel.refusesForeignQueuePairRights()) {
            assertThatThrownBy(() -> queuePair.modify(attributes))
                    .isInstanceOf(VerbsException.class)
                    .hasMessageContainingAll("EINVAL", "permits [ZERO_BASED]");
        } else {
            queuePair.modify(attributes);
            assertThat(queuePair.query().accessFlags()).isEqualTo(Access.ZERO_BASED.value());
        }
    }

    /// Neither uverbs nor rxe looks whether the port has it. RoCE ports have one P_Key, at index 0.
    @Test
    void theIndexOfThePkeyIsNotChecked() {
        var queuePair = looped(QueuePairType.RC, INIT).queuePair();
        queuePair.modify(in(INIT).pkeyIndex(7).build());
        assertThat(queuePair.query().pkeyIndex()).isEqualTo(7);
    }

    /// The kernel takes each: verbs4j refuses one that the port does not carry.
    @ParameterizedTest
    @EnumSource
    void thePathMtuIsAtMostThePortsActiveMtu(Mtu mtu) {
        QueuePair queuePair = looped(QueuePairType.UC, INIT).queuePair();
        Mtu active = queuePair.protectionDomain().context().port(1).activeMtu();
        QueuePairAttributes toReceive = in(RTR)
                .addressVector(AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(1)))
                .pathMtu(mtu)
                .destinationQueuePairNumber(queuePair.number())
                .receivePsn(0)
                .build();
        if (mtu.compareTo(active) > 0) {
            assertThatThrownBy(() -> queuePair.modify(toReceive))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("pathMtu=" + mtu, "the active MTU of port 1 of rxe0, which is " + active,
                            "use pathMtu(" + active + ")");
            Unguarded.provider(queuePair).modify(toReceive);
        } else {
            queuePair.modify(toReceive);
        }
        assertThat(queuePair.query().pathMtu()).isEqualTo(mtu);
    }

    /// A change that does not say on which port, where the kernel lets it through to the driver.
    @Test
    void thePathMtuOfAConnectionThatStandsIsComparedToo() {
        QueuePair queuePair = looped(QueuePairType.UC, RTS).queuePair();
        assertThatThrownBy(() -> queuePair.modify(QueuePairAttributes.builder().pathMtu(Mtu.MTU_4096).build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pathMtu=MTU_4096");
    }
}
