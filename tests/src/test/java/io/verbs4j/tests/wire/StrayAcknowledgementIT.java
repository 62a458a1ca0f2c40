// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionRecord;
import io.verbs4j.roce.Aeth;
import io.verbs4j.roce.Bth;
import io.verbs4j.roce.RoceHeader;
import io.verbs4j.roce.RoceOpcode;
import io.verbs4j.roce.RoceV2Packet;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ImpairedLink;
import io.verbs4j.tests.support.ImpairedLink.Side;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RawWire;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.TestBytes;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.QueuePairState;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// On a wire that reorders packets, an acknowledgement of an earlier message may arrive again within a read's answer.
/// Here the test sends the answers itself, so that this happens each time.
@DeviceTest
@RealKernel("a network interface to send raw packets from")
@Needs.EachKernel
class StrayAcknowledgementIT {
    private static final int PSN = 1000;
    private static final int MTU = 1024;
    private static final int LENGTH = 3 * MTU;
    private static final Aeth ACK = new Aeth(0x1f, 2);

    /// Newer completers also check for refusals in the middle of an answer. Therefore `COMPST_ERROR` of `rxe_completer`
    /// (rxe_comp.c) completes the read with the current status, which is success. The kernel logs a warning about this.
    /// The queue pair is then in ERR.
    @Test
    void completesAReadAlthoughMostOfItHasNotComeOnNewerKernels() {
        try (
                var pair = ConnectedPair.onTheWire()
                        .both(builder -> builder.timeout(Kernel.TIMEOUT_WITHOUT_RETRIES).packetSequenceNumber(PSN))
                        .connect();
                var wire = new ImpairedLink()) {
            End left = pair.left();
            left.memory().segment().fill((byte) 0);
            TestBytes.fill(pair.right().bytes(0, LENGTH), 1);
            byte[] there = TestBytes.of(1, LENGTH);
            left.post(batch -> batch.signaled()
                    .write()
                    .local(left.memory(), 0, 0)
                    .remote(pair.right()
                            .memory()
                            .remote())
                    .post());
            left.completions().nextSuccess();
            wire.hurt(Side.RIGHT, "loss 100%");
            left.post(batch -> batch.signaled()
                    .read()
                    .local(left.memory(), 0, LENGTH)
                    .remote(pair.right().memory().remote())
                    .post());
            Eventually.until(() -> wire.lost(Side.RIGHT) >= 3, () -> "the peer has not answered");
            answer(
                    packet(left, Operation.READ_RESPONSE_FIRST, PSN + 1, ACK, there, 0),
                    packet(left, Operation.ACKNOWLEDGE, PSN, ACK, null, 0),
                    packet(left, Operation.READ_RESPONSE_MIDDLE, PSN + 2, null, there, MTU));

            if (Kernel.completesReadsAtStrayAcknowledgements()) {
                CompletionRecord completion = left.completions().next();
                assertThat(completion.status()).isEqualTo(CompletionStatus.SUCCESS);
                TestBytes.assertSame(left.bytes(0, MTU), Arrays.copyOf(there, MTU));
                TestBytes.assertSame(left.bytes(MTU, LENGTH - MTU), new byte[LENGTH - MTU]);
                Eventually.until(() -> left.queuePair().query().state().equals(QueuePairState.ERR), left::toString);
            } else {
                left.completions().assertNone();
                answer(packet(left, Operation.READ_RESPONSE_LAST, PSN + 3, ACK, there, 2 * MTU));
                left.completions().nextSuccess();
                TestBytes.assertSame(left.bytes(0, LENGTH), there);
            }
        }
    }

    /// Without the stray acknowledgement the same answers do what they should.
    @Test
    void isWhatMakesTheDifference() {
        try (
                var pair = ConnectedPair.onTheWire()
                        .both(builder -> builder.timeout(Kernel.TIMEOUT_WITHOUT_RETRIES).packetSequenceNumber(PSN))
                        .connect();
                var wire = new ImpairedLink().hurt(Side.RIGHT, "loss 100%")) {
            End left = pair.left();
            byte[] there = TestBytes.of(2, LENGTH);
            left.post(batch -> batch.signaled()
                    .read()
                    .local(left.memory(), 0, LENGTH)
                    .remote(pair.right().memory().remote())
                    .post());
            Eventually.until(() -> wire.lost(Side.RIGHT) >= 3, () -> "the peer has not answered");
            answer(
                    packet(left, Operation.READ_RESPONSE_FIRST, PSN, ACK, there, 0),
                    packet(left, Operation.READ_RESPONSE_MIDDLE, PSN + 1, null, there, MTU),
                    packet(left, Operation.READ_RESPONSE_LAST, PSN + 2, ACK, there, 2 * MTU));

            left.completions().nextSuccess();
            TestBytes.assertSame(left.bytes(0, LENGTH), there);
        }
    }

    private static RoceV2Packet packet(
            End end, int code, int psn, @Nullable RoceHeader header, byte @Nullable [] data, int offset) {
        var bth = new Bth(
                new RoceOpcode(code), false, false, 0, 0, 0xffff, false, false, end.queuePair().number(), false, psn);
        return new RoceV2Packet.Builder()
                .bth(bth)
                .extensions(header == null ? new RoceHeader[0] : new RoceHeader[]{header})
                .payload(data == null ? new byte[0] : Arrays.copyOfRange(data, offset, offset + MTU))
                .build();
    }

    /// Sends packets to the left end as if its peer did, past the queue that loses everything.
    private static void answer(RoceV2Packet... packets) {
        try (var wire = RawWire.toTheLeft()) {
            wire.send(packets);
        }
    }
}
