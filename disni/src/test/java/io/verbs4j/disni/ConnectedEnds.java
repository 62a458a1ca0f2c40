// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.simulator.junit.SimulatedRdma;
import io.verbs4j.types.Access;
import io.verbs4j.types.WorkRequestOpcode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/// Two connected ends, created by DiSNI's calls.
@SimulatedRdma
@Timeout(60)
abstract class ConnectedEnds {
    private static final int WORK_REQUESTS = 8;
    private static final int INLINE = 64;
    static final int MILLIS = 10_000;

    final Calls calls = new Calls();
    final Arena arena = Arena.ofShared();
    final MemorySegment out = arena.allocate(16);
    final ByteBuffer memory = ByteBuffer.allocateDirect(4096);
    final MemorySegment bytes = MemorySegment.ofBuffer(memory);
    long channel;
    long listener;
    End client;
    End server;

    /// One end of the connection.
    final class End {
        final long id;
        final long completionChannel;
        final long queue;
        final long domain;
        final long region;
        final int localKey;
        final int remoteKey;
        final long queuePair;

        End(long id) throws IOException {
            this.id = id;
            long context = calls.connections().context(id);
            domain = calls.objects().allocateDomain(context);
            completionChannel = calls.objects().createChannel(context);
            queue = calls.objects().createQueue(context, completionChannel, 32, 0);
            int access = Access.mask(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_READ);
            region = calls.objects()
                    .register(domain, Buffers.address(memory), memory.capacity(), access, out.address(),
                            out.address() + 4,
                            out.address() + 8);
            localKey = out.get(ValueLayout.JAVA_INT, 0);
            remoteKey = out.get(ValueLayout.JAVA_INT, 4);
            queuePair = calls.connections()
                    .createQueuePair(id, domain, queue, queue, 2, WORK_REQUESTS, WORK_REQUESTS, INLINE);
        }

        void destroy() throws IOException {
            calls.connections().disconnect(id);
            calls.objects().destroyChannel(completionChannel); // before its queue, as DiSNI does
            calls.connections().destroyEndpoint(id);
            calls.objects().deregister(region);
            calls.objects().destroyQueue(queue);
        }

        /// Waits for a completion.
        MemorySegment completion() throws IOException {
            MemorySegment wc = arena.allocate(2L * Structs.WC_BYTES).fill((byte) -1);
            for (long end = System.currentTimeMillis() + MILLIS; System.currentTimeMillis() < end;) {
                if (calls.work().poll(queue, 1, wc.address()) == 1) {
                    return wc;
                }
            }
            throw new AssertionError("nothing has completed");
        }

        void send(long workRequest, int flags, long... addressesAndLengths) throws IOException {
            calls.work()
                    .postSend(queuePair,
                            sends(this)
                                    .add(workRequest, WorkRequestOpcode.SEND, flags, 0, addressesAndLengths)
                                    .address());
        }

        void receive(long workRequest, long... addressesAndLengths) throws IOException {
            calls.work()
                    .postReceive(queuePair,
                            WorkRequests.receives(arena, localKey)
                                    .add(workRequest, 0, 0, 0, addressesAndLengths)
                                    .address());
        }
    }

    WorkRequests sends(End end) {
        return WorkRequests.sends(arena, end.localKey);
    }

    long at(long offset) {
        return bytes.address() + offset;
    }

    void put(int offset, String text) {
        memory.put(offset, text.getBytes(StandardCharsets.US_ASCII));
    }

    String text(int offset, int length) {
        byte[] read = new byte[length];
        memory.get(offset, read);
        return new String(read, StandardCharsets.US_ASCII);
    }

    void event(int expected) throws IOException {
        assertThat(calls.connections().awaitEvent(channel, out.address(), out.address() + 8, MILLIS))
                .isEqualTo(expected);
    }

    private MemorySegment address(int port) {
        MemorySegment address = arena.allocate(Structs.SOCKADDR_BYTES);
        assertThat(Structs.writeAddress(address.address(), new InetSocketAddress("10.9.0.2", port))).isTrue();
        return address;
    }

    @BeforeEach
    void connect() throws IOException {
        channel = calls.connections().createChannel();
        listener = calls.connections().createIdentifier(channel);
        calls.connections().bind(listener, address(7471).address());
        calls.connections().listen(listener, 10);
        long id = calls.connections().createIdentifier(channel);
        calls.connections().resolveAddress(id, address(7471).address(), MILLIS);
        event(0);
        calls.connections().resolveRoute(id, MILLIS);
        event(2);
        client = new End(id);
        calls.connections().connect(id, 6, 7, 0, 0);
        event(4);
        assertThat(out.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(listener);
        server = new End(out.get(ValueLayout.JAVA_LONG, 8));
        calls.connections().accept(server.id, 6, 7);
        event(9);
        event(9);
    }

    @AfterEach
    void destroy() throws IOException {
        client.destroy();
        server.destroy();
        calls.connections().destroyIdentifier(listener);
        calls.connections().destroyChannel(channel);
        arena.close();
    }
}
