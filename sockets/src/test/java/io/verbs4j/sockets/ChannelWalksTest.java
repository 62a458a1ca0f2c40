// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Compares two connected channels with a model, in random walks. The same walks over TCP validate the model.
@Timeout(60)
class ChannelWalksTest {
    private static final int WALKS = 40;
    private static final int STEPS = 60;
    private static final int MAX_UNREAD = 8000;
    private static final long LIMIT = Duration.ofSeconds(10).toNanos();

    @ParameterizedTest
    @EnumSource(Places.class)
    void goAsTheModelSays(Places place) throws IOException {
        for (int seed = 0; seed < WALKS; seed++) {
            var random = new Random(seed);
            try (var walk = new Walk(place, random)) {
                for (int step = 0; step < STEPS; step++) {
                    walk.step(random.nextInt(2));
                }
            } catch (AssertionError | Exception e) {
                throw new AssertionError("walk " + seed + ": " + e, e);
            }
        }
    }

    /// Channels 0 and 1, and the state of each in the model.
    private static final class Walk implements AutoCloseable {
        private final Random random;
        private final SocketChannel[] ends = new SocketChannel[2];
        private final SocketAddress[] addresses = new SocketAddress[2];
        private final SelectionKey[] keys = new SelectionKey[2];
        private final Selector selector;
        private final List<Deque<Byte>> unread = List.of(new ArrayDeque<>(), new ArrayDeque<>());
        private final boolean[] noInput = new boolean[2];
        private final boolean[] noOutput = new boolean[2];
        private final boolean[] closed = new boolean[2];
        private final List<String> taken = new ArrayList<>();

        Walk(Places place, Random random) throws IOException {
            this.random = random;
            selector = Selector.open();
            try (var server = ServerSocketChannel.open().bind(place.address())) {
                ends[0] = SocketChannel.open(server.getLocalAddress());
                ends[1] = server.accept();
            }
            for (int side = 0; side < 2; side++) {
                addresses[side] = ends[side].getLocalAddress();
                ends[side].configureBlocking(false);
                keys[side] = ends[side].register(selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE, side);
            }
        }

        void step(int side) throws IOException {
            int kind = random.nextInt(20);
            if (kind < 7) {
                write(side);
            } else if (kind < 14) {
                read(side);
            } else if (kind < 16) {
                query(side);
            } else if (kind < 18) {
                select(side);
            } else if (random.nextInt(6) == 0) {
                end(side);
            }
        }

        private void write(int side) throws IOException {
            var content = new byte[random.nextInt(500)];
            random.nextBytes(content);
            if (closed[side] || noOutput[side]) {
                refused(side, () -> ends[side].write(ByteBuffer.wrap(content)));
                return;
            }
            Deque<Byte> there = unread.get(1 - side);
            if (closed[1 - side] || noInput[1 - side] || there.size() > MAX_UNREAD) {
                return;
            }
            taken.add(side + " writes " + content.length);
            assertThat(write(ends[side], content)).as(taken::toString).isEqualTo(content.length);
            for (byte each : content) {
                there.add(each);
            }
        }

        /// Writes an array, a buffer outside the heap, or the middle two of four buffers.
        private long write(SocketChannel channel, byte[] content) throws IOException {
            switch (random.nextInt(3)) {
                case 0 -> {
                    return channel.write(ByteBuffer.wrap(content));
                }
                case 1 -> {
                    return channel.write(ByteBuffer.allocateDirect(content.length).put(content).flip());
                }
                default -> {
                    int middle = content.length / 2;
                    var parts = new ByteBuffer[]{
                            ByteBuffer.allocate(9), ByteBuffer.wrap(content, 0, middle),
                            ByteBuffer.wrap(content, middle, content.length - middle), ByteBuffer.allocate(9)};
                    return channel.write(parts, 1, 2);
                }
            }
        }

        private void read(int side) throws IOException {
            ByteBuffer target = random.nextBoolean() ? ByteBuffer.allocate(600) : ByteBuffer.allocateDirect(600);
            target.limit(1 + random.nextInt(600));
            if (closed[side]) {
                refused(side, () -> ends[side].read(target));
                return;
            }
            Deque<Byte> here = unread.get(side);
            boolean ended = closed[1 - side] || noOutput[1 - side];
            taken.add(side + " reads " + target.limit() + " of " + here.size());
            if (noInput[side]) {
                assertThat(ends[side].read(target)).as(taken::toString).isEqualTo(-1);
            } else if (!here.isEmpty()) {
                await(() -> read(ends[side], target) > 0);
                assertThat(target.position()).isLessThanOrEqualTo(here.size());
                target.flip();
                while (target.hasRemaining()) {
                    assertThat(target.get()).as(taken::toString).isEqualTo(here.remove());
                }
            } else if (ended) {
                await(() -> read(ends[side], target) == -1);
            } else {
                assertThat(read(ends[side], target)).as(taken::toString).isZero();
            }
        }

        private long read(SocketChannel channel, ByteBuffer target) {
            try {
                return random.nextBoolean()
                        ? channel.read(target)
                        : channel.read(new ByteBuffer[]{ByteBuffer.allocate(0), target}, 0, 2);
            } catch (IOException e) {
                throw new AssertionError(taken.toString(), e);
            }
        }

        private void query(int side) throws IOException {
            SocketChannel channel = ends[side];
            assertThat(channel.isOpen()).as(taken::toString).isEqualTo(!closed[side]);
            assertThat(channel.isConnected()).as(taken::toString).isEqualTo(!closed[side]);
            assertThat(channel.isConnectionPending()).isFalse();
            assertThat(keys[side].isValid()).as(taken::toString).isEqualTo(!closed[side]);
            if (closed[side]) {
                refused(side, channel::getLocalAddress);
                refused(side, channel::getRemoteAddress);
                refused(side, channel::finishConnect);
                refused(side, channel::shutdownInput);
                refused(side, channel::shutdownOutput);
                refused(side, () -> channel.connect(addresses[1 - side]));
            } else {
                assertThat(channel.getLocalAddress()).isEqualTo(addresses[side]);
                assertThat(channel.getRemoteAddress()).isEqualTo(addresses[1 - side]);
                assertThat(channel.finishConnect()).isTrue();
                assertThat(channel.socket().isInputShutdown()).as(taken::toString).isEqualTo(noInput[side]);
                assertThat(channel.socket().isOutputShutdown()).as(taken::toString).isEqualTo(noOutput[side]);
                assertThatThrownBy(() -> channel.connect(addresses[1 - side]))
                        .isInstanceOf(AlreadyConnectedException.class);
            }
        }

        private void select(int side) throws IOException {
            if (closed[side]) {
                return;
            }
            boolean readable = !unread.get(side).isEmpty() || closed[1 - side] || noOutput[1 - side] || noInput[side];
            boolean writable = !noOutput[side] && !closed[1 - side] && !noInput[1 - side];
            taken.add(side + " is selected, readable " + readable + ", writable " + writable);
            await(() -> {
                int ready = ready(side);
                return (ready & SelectionKey.OP_READ) != 0 == readable
                        && (!writable || (ready & SelectionKey.OP_WRITE) != 0);
            });
        }

        private int ready(int side) {
            try {
                selector.selectNow();
                int ready = selector.selectedKeys().contains(keys[side]) ? keys[side].readyOps() : 0;
                selector.selectedKeys().clear();
                return ready;
            } catch (IOException e) {
                throw new AssertionError(taken.toString(), e);
            }
        }

        /// Ends a direction or a channel. Does not close a channel with unread bytes, because this would reset the
        /// peer.
        private void end(int side) throws IOException {
            int kind = random.nextInt(3);
            if (closed[side] || !unread.get(side).isEmpty()) {
                return;
            }
            if (kind == 0) {
                taken.add(side + " ends its output");
                ends[side].shutdownOutput();
                noOutput[side] = true;
            } else if (kind == 1) {
                taken.add(side + " ends its input");
                ends[side].shutdownInput();
                noInput[side] = true;
            } else {
                taken.add(side + " closes");
                ends[side].close();
                closed[side] = true;
            }
        }

        private void refused(int side, ThrowingCallable call) {
            assertThatThrownBy(call).as("%s: %s", side, taken).isInstanceOf(ClosedChannelException.class);
        }

        private void await(BooleanSupplier condition) {
            long deadline = System.nanoTime() + LIMIT;
            while (!condition.getAsBoolean()) {
                assertThat(System.nanoTime()).as(taken::toString).isLessThan(deadline);
                Thread.onSpinWait();
            }
        }

        @Override
        public void close() throws IOException {
            for (SocketChannel end : ends) {
                end.close();
            }
            selector.close();
        }
    }
}
