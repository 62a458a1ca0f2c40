// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.spi.ring.OpcodeSet;
import io.verbs4j.spi.ring.SendChecks;
import io.verbs4j.spi.ring.SendLimits;
import io.verbs4j.spi.ring.WorkRequestErrors;
import io.verbs4j.types.NotSupportedException;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.WorkRequestOpcode;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests each limit of a send queue at its last permitted value, and the message of the first rejected one.
class SendChecksTest {
    private static final int SEND = WorkRequestOpcode.SEND;
    private static final int READ = WorkRequestOpcode.RDMA_READ;
    private static final int ADD = WorkRequestOpcode.FETCH_AND_ADD;
    private static final int FLUSH = WorkRequestOpcode.FLUSH;
    private static final int FLAGS = SendFlags.FENCE | SendFlags.SIGNALED;
    private static final int CHECKSUM = SendFlags.IP_CHECKSUM;
    private static final int MTU = 100;
    private static final String BAD_FLAGS = "flags=0x10 has bits other than FENCE, SIGNALED";
    private static final MemorySegment SOURCE = MemorySegment.ofArray(new byte[80]);

    private static SendChecks checks(int elements, long longest) {
        var operations = new SendLimits.Operations(
                OpcodeSet.of(SEND, READ), OpcodeSet.of(SEND), OpcodeSet.of(SEND), OpcodeSet.of(ADD),
                OpcodeSet.of(FLUSH), WorkRequestErrors::opcode);
        return new SendChecks(
                new SendLimits("sample", QueuePairType.RC, operations, FLAGS, elements, 1, 64, longest));
    }

    private static Arguments row(String message, Consumer<SendChecks> check) {
        return Arguments.of(message, checks(3, 1000), check);
    }

    private static Arguments row(String message, int elements, long longest, Consumer<SendChecks> check) {
        return Arguments.of(message, checks(elements, longest), check);
    }

    private static String opcode(String name) {
        return "opcode=" + name + " cannot be posted to a queue pair of type RC by this method";
    }

    static Stream<Arguments> rejected() {
        String port = " is not in 0..1000, the port's longest message";
        String mtu = " is not in 0..100, the port's MTU; sample would drop it and report success";
        String room = " is not in 0..64, the queue pair's room for inline data";
        return Stream.of(
                row(opcode("FLUSH"), checks -> checks.transfer(FLUSH, 0, 0, 0)),
                row(opcode("FLUSH"), checks -> checks.transferList(FLUSH, 0, 1, 1)),
                row(BAD_FLAGS, checks -> checks.transfer(SEND, CHECKSUM, 0, 0)),
                row(BAD_FLAGS, checks -> checks.transferList(SEND, CHECKSUM, 1, 1)),
                row("length=-1" + port, checks -> checks.transfer(SEND, 0, -1, 1)),
                row("length=1001" + port, checks -> checks.transfer(SEND, 0, 1001, 1)),
                row("length=1002" + port, checks -> checks.transferList(SEND, 0, 1002, 2)),
                row("elements=1 exceeds maxScatterGather=0", 0, 1000, checks -> checks.transfer(SEND, 0, 1, 1)),
                row("elements=4 exceeds maxScatterGather=3", checks -> checks.transferList(SEND, 0, 4, 4)),
                row("elements=2 exceeds 1, the maximum that sample supports in an RDMA_READ; post one for each buffer",
                        checks -> checks.transferList(READ, 0, 2, 2)),
                row("opcode=RDMA_READ carries no payload that could be inline",
                        checks -> checks.transferInline(READ, 0, SOURCE, 0, 1)),
                row(opcode("FLUSH"), checks -> checks.transferInline(FLUSH, 0, SOURCE, 0, 1)),
                row(BAD_FLAGS, checks -> checks.transferInline(SEND, CHECKSUM, SOURCE, 0, 1)),
                row("length=-1" + room, checks -> checks.transferInline(SEND, 0, SOURCE, 0, -1)),
                row("length=65" + room, checks -> checks.transferInline(SEND, 0, SOURCE, 0, 65)),
                row("length=33 exceeds 32 bytes, the longest message or datagram", 3, 32,
                        checks -> checks.transferInline(SEND, 0, SOURCE, 0, 33)),
                row("offset=-1, length=1 exceed the source of 80 bytes",
                        checks -> checks.transferInline(SEND, 0, SOURCE, -1, 1)),
                row("offset=80, length=1 exceed the source of 80 bytes",
                        checks -> checks.transferInline(SEND, 0, SOURCE, 80, 1)),
                row("length=33 exceeds 32 bytes, the longest message or datagram",
                        checks -> checks.datagramInline(SEND, 0, SOURCE, 0, 33, 32)),
                row(opcode("FETCH_AND_ADD"), checks -> checks.datagramInline(ADD, 0, SOURCE, 0, 1, MTU)),
                row(opcode("RDMA_READ"), checks -> checks.datagram(READ, 0, 1, 1, MTU)),
                row(opcode("RDMA_READ"), checks -> checks.datagramList(READ, 0, 1, 1, MTU)),
                row(BAD_FLAGS, checks -> checks.datagram(SEND, CHECKSUM, 1, 1, MTU)),
                row("length=-1" + mtu, checks -> checks.datagram(SEND, 0, -1, 1, MTU)),
                row("length=101" + mtu, checks -> checks.datagram(SEND, 0, 101, 1, MTU)),
                row("length=102" + mtu, checks -> checks.datagramList(SEND, 0, 102, 2, MTU)),
                row("elements=4 exceeds maxScatterGather=3", checks -> checks.datagramList(SEND, 0, 4, 4, MTU)),
                row(opcode("SEND"), checks -> checks.atomic(SEND, 0, 8, 8)),
                row(BAD_FLAGS, checks -> checks.atomic(ADD, CHECKSUM, 8, 8)),
                row("length=4 is not the 8 bytes of an atomic's result", checks -> checks.atomic(ADD, 0, 8, 4)),
                row("remoteAddress=0xc is not a multiple of 8", checks -> checks.atomic(ADD, 0, 12, 8)),
                row("an atomic needs a buffer for its result, the queue pair has maxScatterGather=0", 0, 1000,
                        checks -> checks.atomic(ADD, 0, 8, 8)),
                row(opcode("SEND"), checks -> checks.plain(SEND, 0)),
                row(BAD_FLAGS, checks -> checks.plain(FLUSH, CHECKSUM)));
    }

    @ParameterizedTest
    @MethodSource
    void rejected(String message, SendChecks checks, Consumer<SendChecks> check) {
        assertThatThrownBy(() -> check.accept(checks)).isExactlyInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void acceptsEachLimitItself() {
        SendChecks checks = checks(3, 1000);
        assertThat(checks.limits().maxInlineData()).isEqualTo(64);
        assertThatCode(() -> {
            checks.transfer(SEND, FLAGS, 1000, 1);
            checks.transferList(SEND, 0, 1000, 2);
            checks.transferList(SEND, 0, 3, 3);
            checks.transferList(READ, 0, 1000, 1);
            checks.transferInline(SEND, FLAGS, SOURCE, 16, 64);
            checks.transferInline(SEND, 0, SOURCE, 80, 0);
            checks.datagram(SEND, FLAGS, MTU, 1, MTU);
            checks.datagramList(SEND, 0, 99, 3, MTU);
            checks.datagramInline(SEND, 0, SOURCE, 0, 32, 32);
            checks.atomic(ADD, FLAGS, -8, 8);
            checks.plain(FLUSH, FLAGS);
        }).doesNotThrowAnyException();
        assertThatCode(() -> checks(3, 1L << 32).transferList(SEND, 0, 2L * Integer.MAX_VALUE, 2))
                .doesNotThrowAnyException();
    }

    @Test
    void explainsWhatTheRingsReject() {
        assertThat(WorkRequestErrors.receive(5, 4, 3, 100)).hasMessage("elements=4 exceeds maxScatterGather=3");
        assertThat(WorkRequestErrors.receive(101, 3, 3, 100)).hasMessage("length=101 is not in 0..100");
        assertThat(WorkRequestErrors.flush(-1, 4, 2))
                .hasMessage("length=-1, type=4, level=2: a flush has length >= 0, type 1 to 3 and level 0 or 1");
        assertThat(WorkRequestErrors.windowKey(0x1ff, 0x200))
                .hasMessage("newKey=0x200 differs from currentKey=0x1ff in more than the lowest 8 bits");
        assertThat(WorkRequestErrors.queuePairNumber(0x1000000))
                .hasMessage("remoteQueuePair=0x1000000 has more than 24 bits");
        assertThat(WorkRequestErrors.notSupported(checks(1, 1).limits(), FLUSH, "6.4"))
                .isInstanceOf(NotSupportedException.class)
                .hasMessageContaining("post FLUSH failed: EOPNOTSUPP")
                .hasMessageContaining("sample of this kernel does not support the operation: it requires Linux 6.4");
    }
}
