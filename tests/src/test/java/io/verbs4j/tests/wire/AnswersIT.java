// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.QueuePairBuilder;
import io.verbs4j.RemoteMemory;
import io.verbs4j.roce.Aeth;
import io.verbs4j.roce.Bth;
import io.verbs4j.roce.RoceFrame;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ImpairedLink;
import io.verbs4j.tests.support.ImpairedLink.Side;
import io.verbs4j.tests.support.Kernel;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.tests.support.WireCapture;
import io.verbs4j.types.CompletionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The packets of failures between two reliably connected queue pairs: answers and retransmissions.
@DeviceTest
@Covers("ibv_post_send")
@Needs.EachKernel
class AnswersIT {
    private static final int FIRST_PSN = 0xff_ffff;
    /// 5.12 ms.
    private static final int RNR_TIMER = 18;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private ConnectedPair pair(UnaryOperator<QueuePairBuilder> right) {
        var pair = ConnectedPair.onTheWire()
                .both(builder -> builder.packetSequenceNumber(FIRST_PSN)
                        .minRnrTimer(RNR_TIMER)
                        .timeout(Kernel.TIMEOUT_WITHOUT_RETRIES))
                .right(builder -> right.apply(builder.packetSequenceNumber(FIRST_PSN)
                        .minRnrTimer(RNR_TIMER)
                        .timeout(Kernel.TIMEOUT_WITHOUT_RETRIES)))
                .connect();
        open.add(pair);
        return pair;
    }

    private WireCapture capture() {
        var capture = WireCapture.start();
        open.add(capture);
        return capture;
    }

    /// A packet as one line: direction, opcode, sequence number counted from the first, and the answer.
    private static String line(RoceFrame frame) {
        Bth bth = frame.packet().bth();
        boolean toTheRight = frame.destination().getHostAddress().equals("10.9.0.2");
        return (toTheRight ? "→ " : "← ") + bth.opcode() + " " + (bth.packetSequenceNumber() - FIRST_PSN & 0xff_ffff)
                + frame.packet()
                        .extension(Aeth.class)
                        .map(aeth -> " " + aeth.meaning() + " MSN " + aeth.messageSequenceNumber())
                        .orElse("");
    }

    private static List<String> lines(WireCapture capture) {
        return capture.take().stream().map(AnswersIT::line).toList();
    }

    @Test
    void aMessageThatFindsNoReceiveIsSentAgainAfterAWhile() {
        ConnectedPair pair = pair(UnaryOperator.identity());
        WireCapture capture = capture();
        pair.left().send(1, 0, 8);
        var seen = new ArrayList<String>();
        Eventually.until(
                () -> {
                    seen.addAll(lines(capture));
                    return seen.size() >= 2;
                },
                seen::toString);
        pair.right().receive(1, 0, 64);
        pair.left().completions().nextSuccess();
        pair.right().completions().nextSuccess();
        seen.addAll(lines(capture));

        assertThat(String.join("\n", seen))
                .matches("(→ RC Send Only 0\n← RC Acknowledge 0 RNR NAK, wait 5.12 ms MSN 0\n)+"
                        + "→ RC Send Only 0\n← RC Acknowledge 0 ACK MSN 1");
    }

    @Test
    void aWrongKeyIsARemoteAccessError() {
        for (String operation : List.of("RC RDMA Write Only", "RC RDMA Read Request", "RC Fetch and Add")) {
            ConnectedPair pair = pair(UnaryOperator.identity());
            End left = pair.left();
            RemoteMemory memory = pair.right().memory().remote();
            var wrong = new RemoteMemory(memory.address(), memory.length(), memory.remoteKey() ^ 0x80);
            WireCapture capture = capture();
            left.post(batch -> switch (operation) {
                case "RC RDMA Write Only" -> batch.write().local(left.memory(), 0, 8).remote(wrong).post();
                case "RC RDMA Read Request" -> batch.read().local(left.memory(), 0, 8).remote(wrong).post();
                default -> batch.fetchAndAdd(1).local(left.memory(), 0, Long.BYTES).remote(wrong).post();
            });
            assertThat(left.completions().next().status()).isEqualTo(CompletionStatus.REMOTE_ACCESS_ERROR);

            assertThat(lines(capture))
                    .containsExactly("→ " + operation + " 0", "← RC Acknowledge 0 NAK remote access error MSN 0");
        }
    }

    @Test
    void anOperationThatThePeerDoesNotPermitIsAnInvalidRequest() {
        ConnectedPair pair = pair(QueuePairBuilder::access);
        End left = pair.left();
        RemoteMemory memory = pair.right().memory().remote();
        WireCapture capture = capture();
        left.post(batch -> batch.write().local(left.memory(), 0, 8).remote(memory).post());
        assertThat(left.completions().next().status()).isEqualTo(CompletionStatus.REMOTE_INVALID_REQUEST);

        assertThat(lines(capture))
                .containsExactly("→ RC RDMA Write Only 0", "← RC Acknowledge 0 NAK invalid request MSN 0");
    }

    /// The specification wants an invalid request; rxe says that its own operation failed.
    @Test
    void aMessageLongerThanItsReceiveIsARemoteOperationalErrorOnRxe() {
        ConnectedPair pair = pair(UnaryOperator.identity());
        WireCapture capture = capture();
        pair.right().receive(1, 0, 8);
        pair.left().send(1, 0, 9);
        assertThat(pair.left().completions().next().status()).isEqualTo(CompletionStatus.REMOTE_OPERATION_ERROR);

        assertThat(lines(capture))
                .containsExactly("→ RC Send Only 0", "← RC Acknowledge 0 NAK remote operational error MSN 0");
    }

    @Test
    void aGapIsASequenceErrorAndEverythingFromThereIsSentAgain() {
        ConnectedPair pair = pair(UnaryOperator.identity());
        pair.right().receiveNothing(3);
        try (var wire = new ImpairedLink().hurt(Side.LEFT, "loss 100%")) {
            long before = Rxe.sentPackets();
            pair.left().send(1, 0, 0);
            Eventually.until(() -> Rxe.sentPackets() > before, () -> "nothing was sent");
            wire.heal(Side.LEFT);
            WireCapture capture = capture();
            pair.left().send(2, 0, 0);
            pair.left().completions().nextSuccesses(2);
            pair.right().completions().nextSuccesses(2);

            List<String> lines = lines(capture);
            assertThat(lines.subList(0, 2))
                    .containsExactly("→ RC Send Only 1", "← RC Acknowledge 0 NAK PSN sequence error MSN 0");
            assertThat(lines.stream().skip(2).filter(line -> line.startsWith("→")))
                    .containsExactly("→ RC Send Only 0", "→ RC Send Only 1");
            assertThat(lines.stream().skip(2).filter(line -> line.startsWith("←")))
                    .containsExactly("← RC Acknowledge 0 ACK MSN 1", "← RC Acknowledge 1 ACK MSN 2");
        }
    }

    @Test
    void aLostAnswerMakesTheMessageComeAgainAndBeAnsweredAgainButNotDelivered() {
        ConnectedPair pair = ConnectedPair.onTheWire()
                .left(builder -> builder.packetSequenceNumber(FIRST_PSN).timeout(16))
                .connect();
        open.add(pair);
        pair.right().receiveNothing(2);
        try (var wire = new ImpairedLink().hurt(Side.RIGHT, "loss 100%")) {
            WireCapture capture = capture();
            pair.left().send(1, 0, 0);
            pair.right().completions().nextSuccess();
            Eventually.until(() -> wire.lost(Side.RIGHT) > 0, () -> "no answer was lost");
            wire.heal(Side.RIGHT);
            pair.left().completions().nextSuccess();

            assertThat(String.join("\n", lines(capture)))
                    .matches("(→ RC Send Only 0\n){2,}(← RC Acknowledge 0 ACK MSN 1\n?)+");
            pair.right().completions().assertNone();
        }
    }
}
