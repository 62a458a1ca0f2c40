// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.RemoteMemory;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Compares options, limits, messages and failures with the documented ones, and with those of the server's `rdma.c`.
class ValkeyValuesTest {
    @Test
    void optionsAreWhatWasSet() {
        ValkeyOptions defaults = ValkeyOptions.defaults();
        assertThat(defaults).isEqualTo(
                new ValkeyOptions(
                        Duration.ofSeconds(30), Duration.ofDays(365), Duration.ofSeconds(3), Duration.ofMinutes(1),
                        Duration.ofNanos(20_000), 1_048_576, 1_048_576, 1024));
        var all = new ValkeyOptions(
                Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(4), Duration.ofSeconds(5),
                Duration.ofSeconds(6), 5000, 6000, 16);
        List<UnaryOperator<ValkeyOptions>> setters = List.of(
                options -> options.withConnectTimeout(Duration.ofSeconds(1)),
                options -> options.withTimeout(Duration.ofSeconds(2)),
                options -> options.withKeepAlive(Duration.ofSeconds(4), Duration.ofSeconds(5)),
                options -> options.withBusyPolling(Duration.ofSeconds(6)),
                options -> options.withBuffers(5000, 6000),
                options -> options.withMessages(16));
        ValkeyOptions set = defaults;
        for (UnaryOperator<ValkeyOptions> setter : setters) {
            assertThat(setter.apply(all)).as("changes nothing else").isEqualTo(all);
            set = setter.apply(set);
        }
        assertThat(set).isEqualTo(all);
    }

    @Test
    void refusedTimesAreNamed() {
        ValkeyOptions defaults = ValkeyOptions.defaults();
        assertThatThrownBy(() -> defaults.withKeepAlive(Duration.ofMillis(9), Duration.ZERO))
                .hasMessage("keepAlive=PT0.009S is less than PT0.01S");
        assertThatThrownBy(() -> defaults.withTimeout(Duration.ofMillis(-1)))
                .hasMessage("a timeout is negative: PT-0.001S");
    }

    /// `ValkeyRdmaCmd` and `enum ValkeyRdmaOpcode`, src/rdma.c of Valkey: each message contains its opcode and zeros,
    /// but for the announcement.
    @Test
    void messagesAreThoseOfTheServer() {
        byte[] all = new byte[130];
        MemorySegment memory = MemorySegment.ofArray(all).fill((byte) 0x55);
        ControlMessage.writeAll(memory, new RemoteMemory(0x0102030405060708L, 0x11121314L, 0x21222324));
        ByteBuffer expected = ByteBuffer.allocate(130)
                .putShort(32, (short) 1)
                .putShort(64, (short) 2)
                .putShort(96, (short) 3)
                .putLong(112, 0x0102030405060708L)
                .putInt(120, 0x11121314)
                .putInt(124, 0x21222324)
                .putShort(128, (short) 0x5555);
        assertThat(all).isEqualTo(expected.array());
        MemorySegment announcement = memory.asSlice(96, 32);
        assertThat(ControlMessage.opcode(announcement)).isEqualTo(ControlMessage.REGISTER_MEMORY).isEqualTo(3);
        assertThat(ControlMessage.features(announcement)).isEqualTo(0x1112131421222324L);
        announcement.set(ValueLayout.JAVA_BYTE, 0, (byte) 0xff);
        announcement.set(ValueLayout.JAVA_BYTE, 24, (byte) 0x91);
        assertThat(ControlMessage.opcode(announcement)).isEqualTo(0xff03);
        assertThat(ControlMessage.memory(announcement))
                .isEqualTo(new RemoteMemory(0x0102030405060708L, 0x91121314L, 0x21222324));
        assertThat(List.of(
                ControlMessage.GET_SERVER_FEATURE, ControlMessage.SET_CLIENT_FEATURE, ControlMessage.KEEP_ALIVE,
                ControlMessage.KINDS, ControlMessage.BYTES)).containsExactly(0, 1, 2, 4, 32);
    }

    private static Arguments failure(VerbsException failure, int errno, String operation, String detail) {
        return Arguments.of(failure, errno, operation, detail);
    }

    static Stream<Arguments> failures() {
        String exchange = "exchange data with the Valkey server";
        CompletionStatus refused = CompletionStatus.REMOTE_ACCESS_ERROR;
        return Stream.of(
                failure(Failures.protocol("it lies"), Errno.EPROTO, exchange,
                        "the server violates the protocol of Valkey over RDMA: it lies; close the connection, and"
                                + " check the server's version"),
                failure(Failures.failed(refused), Errno.ECONNRESET, exchange,
                        "a work request failed: REMOTE_ACCESS_ERROR (" + refused.likelyCause() + ")"),
                failure(Failures.silent(Duration.ofSeconds(7)), Errno.ETIMEDOUT, exchange,
                        "the server has sent nothing for PT7S, not even a keep-alive: it hangs, runs a long script, or"
                                + " is gone (ValkeyOptions.withKeepAlive sets the limit)"),
                failure(Failures.ended(), Errno.ECONNRESET, "write to the Valkey server",
                        "the server has closed the connection; connect again"),
                failure(Failures.gone(new IllegalStateException()), Errno.ECONNRESET, exchange,
                        "the device is gone; connect again"),
                failure(Failures.noAnnouncement(), Errno.ETIMEDOUT, "connect to the Valkey server",
                        "the peer accepted the connection but announced no buffer; check that a Valkey server with an"
                                + " RDMA listener runs there"),
                failure(Failures.timeout("wait", "for it"), Errno.ETIMEDOUT, "wait", "for it"));
    }

    @ParameterizedTest
    @MethodSource
    void failures(VerbsException failure, int errno, String operation, String detail) {
        assertThat(failure).hasMessage(operation + " failed: " + Errno.describe(errno) + ": " + detail);
        assertThat(failure.errno()).isEqualTo(errno);
        assertThat(failure.operation()).isEqualTo(operation);
    }

    @Test
    void aFailureOfTheDeviceKeepsItsCause() {
        var cause = new IllegalStateException("closed");
        assertThat(Failures.gone(cause)).hasCause(cause);
    }

    /// The ring of the sender wraps around, and a write is at most 256 KiB long.
    @Test
    void writesAreNeitherTooLongNorTooMany() {
        var lengths = new ArrayList<Integer>();
        var offsets = new ArrayList<Long>();
        int ring = 600_000;
        var protocol = new Protocol(new Outbox() {
            @Override
            public void control(int opcode) {
                throw new AssertionError("no message is due");
            }

            @Override
            public void write(long offset, int length, long address, int key) {
                offsets.add(offset);
                lengths.add(length);
            }
        }, MemorySegment.ofArray(new byte[ring]), MemorySegment.ofArray(new byte[4096]));
        MemorySegment all = MemorySegment.ofArray(new byte[128]);
        ControlMessage.writeAll(all, new RemoteMemory(0, 1 << 20, 1));
        protocol.controlArrived(all.asSlice(96), 32);
        assertThat(protocol.write(ByteBuffer.allocate(1 << 20))).isEqualTo(ring);
        assertThat(lengths).containsExactly(262_144, 262_144, ring - 524_288);
        assertThat(protocol.write(ByteBuffer.allocate(1))).isZero();
        protocol.sent(262_144);
        assertThat(protocol.write(ByteBuffer.allocate(1 << 20))).isEqualTo(262_144);
        assertThat(offsets).containsExactly(0L, 262_144L, 524_288L, 0L);
        assertThat(Protocol.MAX_WRITES).isEqualTo(128);
        assertThat(Protocol.MAX_CONTROLS).isEqualTo(8);
        assertThat(Protocol.CONTROL).as("larger than each length").isEqualTo(1L << 40);
    }

    /// After the end of the exchange, the client sends nothing, not even a keep-alive.
    @Test
    void anEndedExchangeSendsNothing() {
        var protocol = new Protocol(new Outbox() {
            @Override
            public void control(int opcode) {
                throw new AssertionError("sends " + opcode);
            }

            @Override
            public void write(long offset, int length, long address, int key) {
                throw new AssertionError("writes");
            }
        }, MemorySegment.ofArray(new byte[8]), MemorySegment.ofArray(new byte[8]));
        protocol.end();
        protocol.keepAlive();
        protocol.keepAlive();
        protocol.start();
        assertThat(protocol.heard()).isFalse();
        assertThat(protocol.features()).isZero();
        assertThat(protocol.available()).isZero();
        protocol.dataArrived(3, 3);
        assertThat(protocol.available()).isEqualTo(3);
        assertThat(protocol.read(ByteBuffer.allocate(2))).isEqualTo(2);
        assertThat(protocol.available()).isOne();
        var read = new Pending<Integer>(ByteBuffer.allocate(2), (_, _) -> true);
        protocol.add(read);
        assertThat(protocol.hasReads()).isTrue();
        assertThat(protocol.withdraw(read, true)).isTrue();
        assertThat(protocol.hasReads()).isFalse();
        assertThat(protocol.withdraw(read, true)).isFalse();
        var write = new Pending<@Nullable Void>(ByteBuffer.allocate(2), (_, _) -> true);
        write.started = true;
        protocol.addWrite(write);
        assertThat(protocol.withdraw(write, false)).isFalse();
        assertThat(protocol.withdraw(write, true)).isTrue();
    }
}
