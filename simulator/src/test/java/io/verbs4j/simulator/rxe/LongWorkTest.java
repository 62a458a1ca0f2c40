// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.simulator.profile.KernelProfile;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.WorkRequestOpcode;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// More packets than rxe's task handles in one run (`RXE_MAX_ITERATIONS`, rxe_param.h), and more than may be
/// unanswered.
class LongWorkTest {
    private static final int ITERATIONS = 1024;
    private static final int PACKETS_PER_MESSAGE = Bench.ELEMENTS * Bench.SIZE / Bench.MTU;
    /// `RXE_MAX_UNACKED_PSNS`: so many, and the next one.
    private static final int UNANSWERED = 128 + 1;
    /// `RXE_MAX_PKT_PER_ACK`.
    private static final int PACKETS_PER_ACKNOWLEDGEMENT = 64;

    private static Bench connected(KernelProfile kernel, QueuePairType type) {
        return new Bench(kernel, type, false, false, false);
    }

    /// Posts messages before the queue pair may send, and then sends them all.
    private static void sendAll(Bench bench) {
        bench.simulation.run(() -> bench.pair.move(QueuePairState.RTR));
        var element = new Bench.Element(Bench.IOVA, Bench.SIZE, bench.open.key());
        for (int i = 0; i < Bench.DEPTH; i++) {
            bench.send(i, WorkRequestOpcode.RDMA_WRITE, 0, Bench.ELEMENTS,
                    Collections.nCopies(Bench.ELEMENTS, element), (_, _) -> {});
        }
        bench.simulation.run(() -> {
            bench.pair.move(QueuePairState.RTS);
            bench.pair.ring();
        });
    }

    private static List<String> sent(Bench bench) {
        return bench.lines.stream().filter(line -> line.startsWith("> ")).toList();
    }

    @ParameterizedTest
    @EnumSource
    void allMessagesAreSent(KernelProfile kernel) {
        try (var bench = connected(kernel, QueuePairType.UC)) {
            sendAll(bench);
            int packets = Bench.DEPTH * PACKETS_PER_MESSAGE;
            assertThat(packets).isGreaterThan(ITERATIONS);
            assertThat(sent(bench)).hasSize(packets);
            assertThat(bench.pair.sends().waiting()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void theRequesterWaitsForAnswers(KernelProfile kernel) {
        try (var bench = connected(kernel, QueuePairType.RC)) {
            int first = bench.pair.sendPsn();
            sendAll(bench);
            List<String> packets = sent(bench);
            assertThat(packets).hasSize(UNANSWERED);
            assertThat(IntStream.range(0, UNANSWERED).filter(i -> packets.get(i).contains("ackRequest=true")))
                    .containsExactly(
                            PACKETS_PER_ACKNOWLEDGEMENT + 1, PACKETS_PER_MESSAGE - 1);
            Packet answer = bench.packet(Opcode.ACKNOWLEDGE, first);
            answer.syndrome = Syndrome.ACKNOWLEDGED;
            bench.arrive(answer);
            assertThat(sent(bench)).hasSize(UNANSWERED + 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void allResponsesAreSent(KernelProfile kernel) {
        try (var bench = connected(kernel, QueuePairType.RC)) {
            int packets = Bench.SIZE / Bench.MTU;
            int reads = ITERATIONS / packets + 1;
            bench.simulation.run(() -> {
                for (int i = 0; i < reads; i++) {
                    Packet read = bench.packet(Opcode.READ_REQUEST, bench.pair.receivePsn() + i * packets);
                    read.key = bench.open.key();
                    read.remoteAddress = Bench.IOVA;
                    read.length = Bench.SIZE;
                    bench.device.receive(read);
                }
            });
            assertThat(sent(bench)).hasSize(reads * packets);
        }
    }
}
