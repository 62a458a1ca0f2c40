// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.queuepair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.QueuePairBuilder;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.Scenario;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Creating reliable connections: what they can hold, and what is refused.
@DeviceTest
@Covers({"ibv_create_qp", "ibv_create_qp_ex", "ibv_destroy_qp"})
@Needs.EachKernel
class QueuePairCreationIT {
    private static final List<Map.Entry<String, UnaryOperator<QueuePairBuilder>>> OUT_OF_RANGE = List.of(
            Map.entry("maxSends=1048577 is not in 0..1048576", builder -> builder.maxSends((1 << 20) + 1)),
            Map.entry("maxSends=-1 is not in 0..1048576", builder -> builder.maxSends(-1)),
            Map.entry("maxReceives=1048577 is not in 0..1048576", builder -> builder.maxReceives((1 << 20) + 1)),
            Map.entry("maxSendScatterGather=33 is not in 0..32", builder -> builder.maxSendScatterGather(33)),
            Map.entry("maxReceiveScatterGather=33 is not in 0..32", builder -> builder.maxReceiveScatterGather(33)),
            Map.entry("maxInlineData=513 is not in 0..512", builder -> builder.maxInlineData(513)),
            Map.entry("port=0 is not in 1..1", builder -> builder.port(0)),
            Map.entry("port=2 is not in 1..1", builder -> builder.port(2)),
            Map.entry("readAtomic=129 is not in 0..128", builder -> builder.readAtomic(129)),
            Map.entry("retryCount=8 is not in 0..7", builder -> builder.retryCount(8)),
            Map.entry("rnrRetry=8 is not in 0..7", builder -> builder.rnrRetry(8)),
            Map.entry("timeout=32 is not in 0..31", builder -> builder.timeout(32)),
            Map.entry("minRnrTimer=32 is not in 0..31", builder -> builder.minRnrTimer(32)),
            Map.entry(
                    "packetSequenceNumber=16777216 is not in 0..16777215",
                    builder -> builder.packetSequenceNumber(1 << 24)));

    private final Context context = Rxe.open();
    private final ProtectionDomain domain = context.allocateProtectionDomain();
    private final CompletionQueue queue = context.createCompletionQueue(16);

    @AfterEach
    void close() {
        context.close();
    }

    @Test
    void startsInReset() {
        try (QueuePair queuePair = domain.reliableConnection(queue).create()) {
            assertThat(queuePair.type()).isEqualTo(QueuePairType.RC);
            assertThat(queuePair.protectionDomain()).isSameAs(domain);
            assertThat(queuePair.state()).isEqualTo(QueuePairState.RESET);
            assertThat(queuePair.query().state()).isEqualTo(QueuePairState.RESET);
            assertThat(queuePair.number()).isBetween(2, 0xffffff);
            assertThat(queuePair.sharedReceiveQueue()).isNull();
        }
    }

    @Test
    void hasANumberOfItsOwn() {
        var numbers = new HashSet<Integer>();
        for (int i = 0; i < 20; i++) {
            numbers.add(domain.reliableConnection(queue).maxSends(1).create().number());
        }
        assertThat(numbers).hasSize(20);
    }

    @Test
    void holdsAtLeastWhatWasAskedFor() {
        try (
                QueuePair queuePair = domain.reliableConnection(queue)
                        .maxSends(10)
                        .maxReceives(100)
                        .maxSendScatterGather(2)
                        .maxReceiveScatterGather(3)
                        .maxInlineData(100)
                        .create()) {
            var capabilities = queuePair.capabilities();
            assertThat(capabilities.maxSendWorkRequests()).as("a ring of 16 slots").isEqualTo(15);
            assertThat(capabilities.maxReceiveWorkRequests()).as("a ring of 128 slots").isEqualTo(127);
            assertThat(capabilities.maxSendScatterGather()).isGreaterThanOrEqualTo(2);
            assertThat(capabilities.maxReceiveScatterGather()).isGreaterThanOrEqualTo(3);
            assertThat(capabilities.maxInlineData()).isGreaterThanOrEqualTo(100);
        }
    }

    @Test
    void takesTheDevicesLargestElements() {
        try (
                QueuePair queuePair = domain.reliableConnection(queue)
                        .maxSends(1)
                        .maxReceives(1)
                        .maxSendScatterGather(32)
                        .maxReceiveScatterGather(32)
                        .maxInlineData(512)
                        .create()) {
            assertThat(queuePair.capabilities().maxSendScatterGather()).isEqualTo(32);
            assertThat(queuePair.capabilities().maxReceiveScatterGather()).isEqualTo(32);
            assertThat(queuePair.capabilities().maxInlineData()).isEqualTo(512);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void mayHaveNoRoomAtAll(boolean singleThreaded) {
        var builder = domain.reliableConnection(queue).maxSends(0).maxReceives(0);
        try (
                var prepared = (singleThreaded ? builder.singleThreaded() : builder).prepare();
                var batch = prepared.beginReceive()) {
            assertThat(batch.post(0, 0, 0)).as("room").isFalse();
        }
    }

    @ParameterizedTest
    @Scenario({
            "test_qp.QPTest.test_create_raw_qp_ex_with_illegal_caps_max_recv_sge",
            "test_qp.QPTest.test_create_raw_qp_ex_with_illegal_caps_max_recv_wr",
            "test_qp.QPTest.test_create_raw_qp_ex_with_illegal_caps_max_send_sge",
            "test_qp.QPTest.test_create_raw_qp_ex_with_illegal_caps_max_send_wr"
    })
    @FieldSource("OUT_OF_RANGE")
    void refusesWhatIsOutOfRange(Map.Entry<String, UnaryOperator<QueuePairBuilder>> value) {
        var builder = domain.reliableConnection(queue);
        assertThatThrownBy(() -> value.getValue().apply(builder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(value.getKey());
    }

    @Test
    void keepsItsTwoCompletionQueuesApart() {
        var receives = context.createCompletionQueue(16);
        QueuePair queuePair =
                domain.reliableConnection(queue).receiveCompletionQueue(receives).create();
        assertThatThrownBy(queue::close).hasMessage(queue + " is still used by " + queuePair);
        assertThatThrownBy(receives::close).hasMessage(receives + " is still used by " + queuePair);

        queuePair.close();

        assertThatCode(queue::close).doesNotThrowAnyException();
        assertThatCode(receives::close).doesNotThrowAnyException();
    }

    @Test
    void isNotMadeFromClosedParts() {
        var builder = domain.reliableConnection(queue);
        queue.close();
        assertThatThrownBy(builder::create)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(queue + " is closed");
    }
}
