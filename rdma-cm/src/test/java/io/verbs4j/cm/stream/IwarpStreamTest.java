// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.CompletionQueue;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.cm.MessagePair;
import io.verbs4j.types.Access;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Streams that send messages instead of immediate data, as over iWARP, on a connection of another transport. A message
/// that finds no receive ends the connection.
@Timeout(60)
class IwarpStreamTest {
    private static final StreamOptions OPTIONS =
            StreamOptions.defaults().withBuffers(4096, 5000).withMessages(8).withMappings(2);
    private static final int RECEIVES = StreamSetup.workRequests(OPTIONS);

    private final MessagePair pair = new MessagePair();
    private final StreamMemory leftMemory = StreamMemory.allocate(pair.domain, OPTIONS, RECEIVES);
    private final StreamMemory rightMemory = StreamMemory.allocate(pair.there.protectionDomain(), OPTIONS, RECEIVES);
    private final End left;
    private final End right;

    IwarpStreamTest() {
        IwarpOutbox.postReceives(pair.here, leftMemory, RECEIVES);
        IwarpOutbox.postReceives(pair.there, rightMemory, RECEIVES);
        left = new End(pair.here, pair.hereQueue, leftMemory, rightMemory);
        right = new End(pair.there, pair.thereQueue, rightMemory, leftMemory);
    }

    private static final class End {
        private final StreamProtocol protocol;
        private final StreamReader reader;
        private final StreamWriter writer;
        private final StreamPump pump;

        End(QueuePair queuePair, CompletionQueue queue, StreamMemory memory, StreamMemory peers) {
            Greeting peer = peers.greeting(OPTIONS.messages());
            protocol = new StreamProtocol(new IwarpOutbox(queuePair, memory, RECEIVES), memory, peer, OPTIONS);
            reader = new StreamReader(protocol, memory);
            writer = new StreamWriter(
                    protocol,
                    memory,
                    new OwnMappings(
                            bytes -> queuePair.protectionDomain()
                                    .allocate(bytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE),
                            peer.mappings()));
            pump = new StreamPump(protocol, new Completions(queue, memory), false);
            pump.poll();
        }
    }

    @AfterEach
    void end() {
        pair.close();
    }

    private static MemorySegment random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return MemorySegment.ofArray(bytes);
    }

    private static void transfer(End from, End to, int length) throws InterruptedException {
        MemorySegment sent = random(length);
        MemorySegment received = MemorySegment.ofArray(new byte[length]);
        long written = 0;
        int read = 0;
        while (read < length) {
            written += from.writer.write(sent, written, length - written, written);
            from.pump.poll();
            to.pump.await(Readiness.READ, 1_000_000);
            read += to.reader.read(received, read, length - read);
        }
        assertThat(received.mismatch(sent)).isEqualTo(-1);
    }

    @Test
    void bytesArriveInBothDirections() throws InterruptedException {
        for (int length : new int[]{1, 2048, 20_000}) {
            transfer(left, right, length);
            transfer(right, left, length);
        }
        left.protocol.lock().lock();
        left.protocol.endOutput();
        left.protocol.lock().unlock();
        right.pump.await(Readiness.READ, Long.MAX_VALUE / 2);
        assertThat(right.reader.read(MemorySegment.ofArray(new byte[1]), 0, 1)).isEqualTo(-1);
        transfer(right, left, 5000);
    }

    @Test
    void mappedMemoryIsWrittenBeforeTheBytesThatFollow() throws InterruptedException {
        var mapped = new MemoryRegion[2];
        for (int i = 0; i < mapped.length; i++) {
            left.pump.await(Readiness.MAP, Long.MAX_VALUE / 2);
            mapped[i] = Objects.requireNonNull(left.writer.map(100 * i, 50));
            transfer(left, right, 1);
        }
        for (int i = 0; i < mapped.length; i++) {
            assertThat(right.writer.writeMapped(100 * i + 10, random(20 + i), 0, 20 + i)).isEqualTo(20 + i);
            transfer(right, left, 1);
            assertThat(mapped[i].segment().asSlice(10, 20 + i).mismatch(random(20 + i))).isEqualTo(-1);
        }
    }

    @Test
    void aMessageOfAnotherLengthIsRefused() throws InterruptedException {
        try (var batch = pair.here.beginSend()) {
            batch.send().inline(MemorySegment.ofArray(new short[]{1}).asReadOnly()).post();
            batch.submit();
        }
        right.pump.await(Readiness.READ, Long.MAX_VALUE / 2);
        assertThatThrownBy(() -> right.reader.read(MemorySegment.ofArray(new byte[1]), 0, 1))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EPROTO));
    }
}
