// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.RemoteMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/// Two ends over a wire that delivers in order, at random times.
class ProtocolProperties {
    private static final int BYTES = 100_000;

    /// One end, and the messages in flight to the other.
    private static final class End implements Outbox {
        final MemorySegment send;
        final MemorySegment receive;
        final MemorySegment messages = MemorySegment.ofArray(
                new byte[ControlMessage.KINDS * ControlMessage.BYTES]);
        final Protocol protocol;
        final ArrayDeque<Runnable> arrivals = new ArrayDeque<>();
        final ArrayDeque<Long> completions = new ArrayDeque<>();
        final ByteBuffer outgoing;
        final ByteBuffer incoming = ByteBuffer.allocate(BYTES);
        End other = this;

        End(Random random, int sendBytes, int receiveBytes) {
            byte[] data = new byte[BYTES];
            random.nextBytes(data);
            outgoing = ByteBuffer.wrap(data);
            send = MemorySegment.ofArray(new byte[sendBytes]);
            receive = MemorySegment.ofArray(new byte[receiveBytes]);
            ControlMessage.writeAll(messages, new RemoteMemory(0, receiveBytes, 1));
            protocol = new Protocol(this, send, receive);
        }

        @Override
        public void control(int opcode) {
            var message = MemorySegment.ofArray(messages.asSlice((long) opcode * ControlMessage.BYTES,
                    ControlMessage.BYTES).toArray(ValueLayout.JAVA_BYTE));
            arrivals.add(() -> other.protocol.controlArrived(message, ControlMessage.BYTES));
            completions.add(Protocol.CONTROL);
        }

        @Override
        public void write(long offset, int length, long address, int key) {
            // The device may read the memory as late as the message arrives.
            arrivals.add(() -> {
                MemorySegment.copy(send, offset, other.receive, address, length);
                other.protocol.dataArrived(length, length);
            });
            completions.add((long) length);
        }
    }

    @Property(tries = 100)
    void allBytesArriveInOrder(
            @ForAll long seed, @ForAll @IntRange(min = 100, max = 5000) int sendBytes,
            @ForAll @IntRange(min = 100, max = 5000) int receiveBytes) {
        var random = new Random(seed);
        var left = new End(random, sendBytes, receiveBytes);
        var right = new End(random, receiveBytes, sendBytes);
        left.other = right;
        right.other = left;
        left.protocol.start();
        right.protocol.start();
        for (int step = 0; left.incoming.hasRemaining() || right.incoming.hasRemaining(); step++) {
            assertThat(step).as("too many steps").isLessThan(1_000_000);
            End end = random.nextBoolean() ? left : right;
            int bytes = 1 + random.nextInt(2000);
            switch (random.nextInt(5)) {
                case 0, 1 -> deliver(end);
                case 2 -> {
                    ByteBuffer part = end.outgoing.slice(
                            end.outgoing.position(), Math.min(bytes, end.outgoing.remaining()));
                    end.protocol.write(part);
                    end.outgoing.position(end.outgoing.position() + part.position());
                }
                case 3 -> {
                    ByteBuffer part = end.incoming.slice(
                            end.incoming.position(), Math.min(bytes, end.incoming.remaining()));
                    if (part.hasRemaining()) {
                        assertThat(end.protocol.read(part)).isNotNegative();
                        end.incoming.position(end.incoming.position() + part.position());
                    }
                }
                default -> {
                    end.protocol.keepAlive();
                    end.protocol.advance();
                }
            }
        }
        assertThat(right.incoming.array()).isEqualTo(left.outgoing.array());
        assertThat(left.incoming.array()).isEqualTo(right.outgoing.array());
    }

    /// Delivers a message. Its sender gets the completion at once or later.
    private static void deliver(End end) {
        Runnable arrival = end.arrivals.poll();
        if (arrival != null) {
            arrival.run();
        }
        while (end.completions.size() > end.arrivals.size()) {
            end.protocol.sent(end.completions.remove());
        }
    }
}
