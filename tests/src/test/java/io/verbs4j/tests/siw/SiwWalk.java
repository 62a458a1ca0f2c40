// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.siw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionRecord;
import io.verbs4j.LocalMemory;
import io.verbs4j.MemoryWindow;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendBatch;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.End;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.types.CompletionOpcode;
import io.verbs4j.types.NotSupportedException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// A random walk over one connection of siw, with a [SiwModel] of each end. It posts batches of operations that siw
/// supports, with refused ones in between, and finally ends the connection in one of several ways. After each batch it
/// compares all visible state with the model: completions in order, and every byte of both memories.
final class SiwWalk implements AutoCloseable {
    /// Messages are sent from the lower half of the memory, and reads go to the upper half, so that data in flight is
    /// not overwritten.
    private static final int HALF = 16 * 1024;

    private static final int DEPTH = 16;
    private static final int LONGEST = 5000;
    private static final int INLINE = 80;
    private static final int FIRST_SEND = 1_000_000;

    private final Random random;
    private final ConnectedPair pair = ConnectedPair.onTheWire()
            .memory(2L * HALF)
            .both(builder -> builder.maxSends(DEPTH).maxReceives(DEPTH).maxSendScatterGather(3).maxInlineData(INLINE))
            .connect();
    private final SiwModel[] models = {new SiwModel(2 * HALF), new SiwModel(2 * HALF)};
    private final StringBuilder story = new StringBuilder();
    private int nextReceive = 1; // 0 is the request that ends the connection
    private int nextSend = FIRST_SEND;

    SiwWalk(long seed) {
        random = new Random(seed);
        story.append("seed ").append(seed).append('\n');
        for (int side = 0; side < 2; side++) {
            random.nextBytes(models[side].memory);
            end(side).memory().segment().copyFrom(MemorySegment.ofArray(models[side].memory));
        }
    }

    private End end(int side) {
        return side == 0 ? pair.left() : pair.right();
    }

    /// Takes the steps and ends the connection.
    void run(int steps) {
        try {
            take(steps);
        } catch (AssertionError e) {
            throw new AssertionError(story + String.valueOf(e.getMessage()), e);
        }
    }

    private void take(int steps) {
        send(0, 1); // MPA: the side that connects speaks first
        settle();
        for (int step = 0; step < steps; step++) {
            int side = random.nextInt(2);
            switch (random.nextInt(8)) {
                case 0, 1 -> receive(side);
                case 2 -> read(side);
                case 3 -> refuse(side);
                default -> send(side, 1 + random.nextInt(6));
            }
            settle();
        }
        end(random.nextInt(2), random.nextInt(6));
        settle();
        assertFlushes();
    }

    private int length(int most) {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(3);
            case 1 -> random.nextInt(INLINE + 2);
            default -> random.nextInt(most);
        };
    }

    private void receive(int side) {
        int count = Math.min(1 + random.nextInt(4), DEPTH - models[side].receives.size());
        for (int i = 0; i < count; i++) {
            int length = LONGEST + random.nextInt(100);
            int offset = HALF + random.nextInt(HALF - length);
            story.append(side).append(" receive ").append(nextReceive).append(" at ").append(offset).append('\n');
            end(side).receive(nextReceive, offset, length);
            models[side].receives.add(new SiwModel.Receive(nextReceive++, offset, length));
        }
    }

    /// A batch of sends and writes.
    private void send(int side, int count) {
        SiwModel ours = models[side];
        SiwModel theirs = models[1 - side];
        RemoteMemory remote = end(1 - side).memory().remote();
        try (SendBatch batch = end(side).queuePair().beginSend()) {
            for (int i = 0; i < count; i++) {
                // The last one is signaled: it says that all are done.
                boolean signaled = i == count - 1 || random.nextBoolean();
                boolean message = !theirs.receives.isEmpty() && random.nextBoolean();
                boolean inline = random.nextInt(4) == 0;
                int length = inline ? random.nextInt(INLINE + 1) : length(LONGEST);
                int offset = random.nextInt(HALF - length);
                int to = random.nextInt(HALF - length);
                long id = nextSend++;
                story.append(side)
                        .append(message ? " send " : " write to " + to + " ")
                        .append(id)
                        .append(" from ")
                        .append(offset)
                        .append(" length ")
                        .append(length)
                        .append(inline ? " inline" : "")
                        .append('\n');
                add(batch, side, id, signaled, message, inline, offset, length, remote.slice(to, length));
                if (message) {
                    theirs.receive(ours.memory, offset, length);
                } else {
                    System.arraycopy(ours.memory, offset, theirs.memory, to, length);
                }
                ours.sent(id, signaled, message ? CompletionOpcode.SEND : CompletionOpcode.RDMA_WRITE);
            }
            assertThat(batch.submit()).isEqualTo(count);
        }
    }

    private void add(
            SendBatch batch,
            int side,
            long id,
            boolean signaled,
            boolean message,
            boolean inline,
            int offset,
            int length,
            RemoteMemory target) {
        batch.workRequestId(id);
        if (signaled) {
            batch.signaled();
        }
        if (random.nextInt(8) == 0) {
            batch.fence();
        }
        LocalMemory source = end(side).memory().slice(offset, length);
        boolean posted;
        if (inline) {
            MemorySegment bytes = end(side).bytes(offset, length);
            posted = message ? batch.send().inline(bytes).post() : batch.write().inline(bytes).remote(target).post();
        } else {
            LocalMemory[] parts = parts(source);
            posted = message ? batch.send().local(parts).post() : batch.write().local(parts).remote(target).post();
        }
        assertThat(posted).as("room").isTrue();
    }

    /// In one to three buffers, of which some may be empty.
    private LocalMemory[] parts(LocalMemory whole) {
        int length = (int) whole.length();
        int first = random.nextInt(length + 1);
        int second = first + random.nextInt(length - first + 1);
        return switch (random.nextInt(3)) {
            case 0 -> new LocalMemory[]{whole};
            case 1 -> new LocalMemory[]{whole.slice(0, first), whole.slice(first, length - first)};
            default -> new LocalMemory[]{
                    whole.slice(0, first), whole.slice(first, second - first), whole.slice(second, length - second)
            };
        };
    }

    private void read(int side) {
        int length = length(LONGEST);
        int from = random.nextInt(HALF - length);
        int to = HALF + random.nextInt(HALF - length);
        long id = nextSend++;
        story.append(side).append(" read ").append(id).append(" length ").append(length).append('\n');
        RemoteMemory remote = end(1 - side).memory().remote().slice(from, length);
        end(side).post(
                batch -> batch.workRequestId(id)
                        .signaled()
                        .read()
                        .local(end(side).memory().slice(to, length))
                        .remote(remote)
                        .post());
        System.arraycopy(models[1 - side].memory, from, models[side].memory, to, length);
        models[side].sent(id, true, CompletionOpcode.RDMA_READ);
    }

    /// Asks for what siw does not have: it is refused before the kernel sees it.
    private void refuse(int side) {
        End end = end(side);
        RemoteMemory remote = end(1 - side).memory().remote();
        story.append(side).append(" refusal\n");
        switch (random.nextInt(8)) {
            case 0 -> assertRefused(() -> end.post(batch -> batch.send()
                    .immediate(1)
                    .local(end.memory(), 0, 8)
                    .post()));
            case 1 -> assertRefused(
                    () -> end.post(batch -> batch.write()
                            .immediate(1)
                            .local(end.memory(), 0, 8)
                            .remote(remote)
                            .post()));
            case 2 -> assertRefused(() -> end.post(batch -> batch.fetchAndAdd(1)
                    .local(end.memory(), 0, Long.BYTES)
                    .remote(remote)
                    .post()));
            case 3 -> assertRefused(() -> end.post(batch -> batch.invalidate(end.memory().localKey()).post()));
            case 4 -> assertRefused(() -> end.post(batch -> batch.fence()
                    .read()
                    .local(end.memory(), 0, 8)
                    .remote(remote)
                    .post()));
            case 5 -> assertRefused(() -> end.domain().allocateMemoryWindow(MemoryWindow.Type.TYPE_2));
            case 6 -> assertThatThrownBy(
                    () -> end.post(batch -> batch.send().inline(MemorySegment.ofArray(new byte[INLINE + 1])).post()))
                    .isInstanceOf(IllegalArgumentException.class);
            default -> assertThatThrownBy(
                    () -> end.post(batch -> batch.read()
                            .local(end.memory().slice(0, 8), end.memory().slice(8, 8))
                            .remote(remote.slice(0, 16))
                            .post()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(NotSupportedException.class);
    }

    /// Ends the connection in one of six ways. The completion of the request that ends it is not checked. Outstanding
    /// work is flushed.
    private void end(int side, int way) {
        story.append(side).append(" ends it, way ").append(way).append('\n');
        End end = end(side);
        RemoteMemory remote = end(1 - side).memory().remote();
        var wrong = new RemoteMemory(remote.address(), remote.length(), remote.remoteKey() ^ 0x5500);
        switch (way) {
            case 0 -> disconnect(end);
            case 1 -> end.post(batch -> batch.workRequestId(0).write().local(end.memory(), 0, 8).remote(wrong).post());
            case 2 -> end.post(batch -> batch.workRequestId(0).read().local(end.memory(), 0, 8).remote(wrong).post());
            case 3 -> {
                var beyond = new RemoteMemory(remote.address() + remote.length() - 4, 8, remote.remoteKey());
                end.post(batch -> batch.workRequestId(0).write().local(end.memory(), 0, 8).remote(beyond).post());
            }
            case 4 -> {
                int waiting = models[1 - side].receives.size();
                for (int i = 0; i < waiting; i++) {
                    long id = nextSend++;
                    end.send(id, 0, 0);
                    models[1 - side].receive(models[side].memory, 0, 0);
                    models[side].sent(id, true, CompletionOpcode.SEND);
                }
                settle();
                end.post(batch -> batch.workRequestId(0)
                        .send()
                        .local(end.memory(), 0, 8)
                        .post()); // which meets no receive
            }
            default -> end(1 - side).queuePair().close();
        }
        for (int each = 0; each < 2; each++) {
            End one = end(each);
            Eventually.until(() -> one.connection().disconnected().isDone(), () -> story + "still connected: " + one);
            models[each].end();
        }
        if (way == 5) {
            models[1 - side].received.clear(); // a queue pair that is closed completes nothing
        }
    }

    private static void disconnect(End end) {
        try {
            end.connection().disconnect();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Waits until all is as the models say.
    private void settle() {
        for (int side = 0; side < 2; side++) {
            SiwModel model = models[side];
            int count = model.sent.size() + model.received.size();
            List<SiwModel.Expected> sent = new ArrayList<>();
            List<SiwModel.Expected> received = new ArrayList<>();
            while (sent.size() + received.size() < count) {
                CompletionRecord completion = end(side).completions().next();
                if (completion.workRequestId() == 0) {
                    continue; // that which ended the connection
                }
                boolean success = completion.isSuccess();
                boolean isSend = completion.workRequestId() >= FIRST_SEND;
                (isSend ? sent : received)
                        .add(new SiwModel.Expected(
                                completion.workRequestId(),
                                success,
                                success ? completion.opcode().value() : 0,
                                success && !isSend ? completion.byteLength() : 0));
            }
            assertThat(sent).as("%s sends of %d", story, side).isEqualTo(model.sent);
            assertThat(received).as("%s receives of %d", story, side).isEqualTo(model.received);
            model.sent.clear();
            model.received.clear();
        }
        for (int side = 0; side < 2; side++) {
            End end = end(side);
            SiwModel model = models[side];
            // A write is done for its sender when TCP has it.
            Eventually.until(
                    () -> model.holds(end.memory().segment().toArray(ValueLayout.JAVA_BYTE)),
                    () -> story + "memory of " + end + " differs from the model's");
        }
    }

    /// Posts after the end to the queue pairs that are still there, and finds it flushed.
    private void assertFlushes() {
        for (int side = 0; side < 2; side++) {
            End end = end(side);
            if (!end.queuePair().isClosed()) {
                end.queuePair().query();
                end.send(nextSend, 0, 8);
                CompletionRecord flushed = end.completions().next();
                while (flushed.workRequestId() == 0) {
                    flushed = end.completions().next();
                }
                assertThat(flushed.workRequestId()).as(story::toString).isEqualTo(nextSend++);
                assertThat(flushed.isSuccess()).as(story::toString).isFalse();
            }
        }
    }

    @Override
    public void close() {
        pair.close();
    }
}
