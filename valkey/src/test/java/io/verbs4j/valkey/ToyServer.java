// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.valkey;

import io.verbs4j.MemoryRegion;
import io.verbs4j.RemoteMemory;
import io.verbs4j.SendBatch;
import io.verbs4j.WorkCompletion;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.cm.RdmaServer;
import io.verbs4j.types.Access;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A server for Valkey over RDMA. Its model is the server's C source, not the client's code. It supports a few
/// commands. Tests can make its sessions violate the protocol.
final class ToyServer implements AutoCloseable {
    private static final int GET_FEATURE = 0;
    private static final int SET_FEATURE = 1;
    private static final int KEEP_ALIVE = 2;
    private static final int REGISTER = 3;
    private static final int COMMAND = 32;
    private static final int RECEIVES = 256;

    /// The behaviour of a session after it has received the address of the client's buffer.
    interface Script {
        void play(Session session) throws IOException, InterruptedException;
    }

    private final RdmaServer listener;
    private final int bufferBytes;
    private final Script script;
    private final Map<String, byte[]> values = new ConcurrentHashMap<>();
    private final List<Session> sessions = new ArrayList<>();
    private final AtomicReference<@Nullable Buffers> prepared = new AtomicReference<>();
    private final Thread accepting;
    final AtomicInteger keepAlives = new AtomicInteger();
    final AtomicInteger clientAnnouncements = new AtomicInteger();
    /// Sessions wait for this before they announce their buffers.
    volatile CountDownLatch announcing = new CountDownLatch(0);

    private record Buffers(MemoryRegion commands, MemoryRegion received) {}

    ToyServer(InetSocketAddress address, int bufferBytes) {
        this(address, bufferBytes, Session::serve);
    }

    ToyServer(InetSocketAddress address, int bufferBytes, Script script) {
        this.bufferBytes = bufferBytes;
        this.script = script;
        this.listener = RdmaServer.listen(
                address,
                ConnectionOptions.defaults()
                        .withQueues(RECEIVES, RECEIVES)
                        .withReadAtomic(1)
                        .withRetries(5, 0) // as in the C server: a client without receives is disconnected
                        .withPreparation(this::prepare));
        this.accepting = Thread.ofVirtual().start(this::accept);
    }

    private void prepare(RdmaConnection connection) {
        var domain = connection.protectionDomain();
        var buffers = new Buffers(
                domain.allocate(2L * RECEIVES * COMMAND, Access.LOCAL_WRITE),
                domain.allocate(bufferBytes, Access.LOCAL_WRITE, Access.REMOTE_WRITE));
        try (var batch = connection.queuePair().beginReceive()) {
            for (int i = 0; i < RECEIVES; i++) {
                batch.workRequestId(i).receive(buffers.commands, (long) i * COMMAND, COMMAND);
            }
            batch.submit();
        }
        prepared.set(buffers);
    }

    private void accept() {
        while (true) {
            try {
                RdmaConnection connection = listener.accept();
                Buffers buffers = prepared.get();
                if (buffers == null) {
                    throw new IllegalStateException("not prepared");
                }
                var session = new Session(connection, buffers);
                synchronized (sessions) {
                    sessions.add(session);
                }
                session.thread.start();
            } catch (InterruptedException | RuntimeException e) {
                return;
            }
        }
    }

    /// Returns the number of connections that were accepted.
    int sessions() {
        synchronized (sessions) {
            return sessions.size();
        }
    }

    /// Ends all connections.
    void disconnectAll() {
        List<Session> all;
        synchronized (sessions) {
            all = List.copyOf(sessions);
        }
        for (Session session : all) {
            session.close();
        }
    }

    @Override
    public void close() {
        listener.close();
        try {
            accepting.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        disconnectAll();
    }

    /// One connection, and its thread.
    final class Session {
        final RdmaConnection connection;
        private final Buffers buffers;
        private final Thread thread = Thread.ofVirtual().unstarted(this::run);
        private int position;
        private int end;
        private int outstanding;
        private int nextCommand;
        private long sentBytes;
        private @Nullable MemoryRegion out;
        private @Nullable RemoteMemory client;
        /// The first failed completion after those that succeeded.
        private @Nullable String broken;
        volatile @Nullable Exception failure;

        Session(RdmaConnection connection, Buffers buffers) {
            this.connection = connection;
            this.buffers = buffers;
        }

        private void run() {
            try {
                announcing.await();
                register();
                while (client == null) {
                    progress();
                }
                script.play(this);
            } catch (IOException | InterruptedException | RuntimeException e) {
                failure = e;
            }
        }

        void close() {
            thread.interrupt();
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            connection.close();
        }

        /// Returns the client's buffer.
        RemoteMemory client() {
            return Objects.requireNonNull(client);
        }

        private void register() throws IOException {
            position = 0;
            end = 0;
            announce(buffers.received.address(), bufferBytes, buffers.received.remoteKey());
        }

        void announce(long address, int length, int key) throws IOException {
            control(REGISTER, ByteBuffer.allocate(COMMAND).putLong(16, address).putInt(24, length).putInt(28, key),
                    COMMAND);
        }

        void keepAlive() throws IOException {
            control(KEEP_ALIVE, ByteBuffer.allocate(COMMAND), COMMAND);
        }

        /// Sends a message of any length and opcode.
        void control(int opcode, ByteBuffer message, int length) throws IOException {
            int at = (RECEIVES + nextCommand++ % RECEIVES) * COMMAND;
            buffers.commands.segment()
                    .asSlice(at, COMMAND)
                    .asByteBuffer()
                    .put(message.putShort(0, (short) opcode).array());
            post(batch().send().local(buffers.commands, at, length));
        }

        private SendBatch batch() throws IOException {
            while (outstanding > RECEIVES / 2) {
                progress();
            }
            return connection.queuePair().beginSend();
        }

        private void post(SendBatch batch) {
            try (batch) {
                batch.signaled().post();
                batch.submit();
            }
            outstanding++;
        }

        /// Writes to the client's memory.
        void write(byte[] data, int immediate, long address, int key) throws IOException {
            MemoryRegion region = connection.protectionDomain().allocate(Math.max(data.length, 1));
            region.segment().asSlice(0, data.length).asByteBuffer().put(data);
            post(batch().write().immediate(immediate).local(region, 0, data.length).remote(address, key));
        }

        private void progress() throws IOException {
            if (broken != null) { // the bytes that arrived before have been served
                throw new IllegalStateException(broken);
            }
            try {
                int count = connection.completionQueue().await(16, this::completed, Duration.ofMillis(100));
                if (count == 0 && !connection.isConnected()) {
                    throw new EOFException();
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        private void completed(WorkCompletion completion) {
            if (!completion.isSuccess()) {
                broken = broken == null ? completion.toString() : broken;
                return;
            }
            if (!completion.isReceive()) {
                outstanding--;
                return;
            }
            int slot = (int) completion.workRequestId();
            if (completion.hasImmediateData()) {
                end += completion.immediateData();
            } else {
                commandArrived(buffers.commands.segment().asSlice((long) slot * COMMAND, COMMAND).asByteBuffer());
            }
            try (var batch = connection.queuePair().beginReceive()) {
                batch.workRequestId(slot).receive(buffers.commands, (long) slot * COMMAND, COMMAND);
                batch.submit();
            }
        }

        private void commandArrived(ByteBuffer command) {
            switch (command.getShort(0)) {
                case GET_FEATURE -> {
                    try {
                        control(GET_FEATURE, ByteBuffer.allocate(COMMAND).putLong(24, 5), COMMAND);
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                }
                case SET_FEATURE -> {
                    if (command.getLong(24) != 0) {
                        throw new IllegalStateException("the client requests features");
                    }
                }
                case KEEP_ALIVE -> keepAlives.incrementAndGet();
                case REGISTER -> {
                    clientAnnouncements.incrementAndGet();
                    client = new RemoteMemory(
                            command.getLong(16), Integer.toUnsignedLong(command.getInt(24)), command.getInt(28));
                    sentBytes = 0;
                }
                default -> throw new IllegalStateException("unknown command");
            }
        }

        private int read(byte[] target, int offset, int length) throws IOException {
            while (position == end) {
                progress();
            }
            int bytes = Math.min(length, end - position);
            buffers.received.segment().asSlice(position, bytes).asByteBuffer().get(target, offset, bytes);
            position += bytes;
            if (position == bufferBytes) {
                register();
            }
            return bytes;
        }

        /// Sends bytes as the C server does, from a buffer as large as the client's.
        void send(byte[] data) throws IOException {
            for (int done = 0; done < data.length;) {
                RemoteMemory to = client;
                if (to == null || sentBytes == to.length()) {
                    progress();
                    continue;
                }
                if (out == null) {
                    out = connection.protectionDomain().allocate(to.length());
                }
                int bytes = (int) Math.min(data.length - done, to.length() - sentBytes);
                out.segment().asSlice(sentBytes, bytes).asByteBuffer().put(data, done, bytes);
                post(batch().write().immediate(bytes).local(out, sentBytes, bytes).remote(to, sentBytes));
                sentBytes += bytes;
                done += bytes;
            }
        }

        /// Answers commands.
        void serve() throws IOException {
            var in = new BufferedInputStream(new InputStream() {
                @Override
                public int read() throws IOException {
                    byte[] one = new byte[1];
                    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
                }

                @Override
                public int read(byte[] target, int offset, int length) throws IOException {
                    return Session.this.read(target, offset, length);
                }
            });
            while (true) {
                List<byte[]> words = Resp.words(in);
                send(answer(words));
            }
        }

        private byte[] answer(List<byte[]> words) {
            String key = words.size() > 1 ? Resp.text(words.get(1)) : "";
            return switch (Resp.text(words.getFirst()).toUpperCase(Locale.ROOT)) {
                case "PING" -> Resp.bytes("+PONG\r\n");
                case "SET" -> {
                    values.put(key, words.get(2));
                    yield Resp.bytes("+OK\r\n");
                }
                case "GET" -> {
                    byte[] value = values.get(key);
                    yield value == null ? Resp.bytes("$-1\r\n") : Resp.bulk(value);
                }
                case "INCR" -> {
                    byte[] next = Resp.bytes(
                            Long.toString(Long.parseLong(Resp.text(values.getOrDefault(key, Resp.bytes("0")))) + 1));
                    values.put(key, next);
                    yield Resp.bytes(":" + Resp.text(next) + "\r\n");
                }
                default -> Resp.bytes("-ERR unknown command\r\n");
            };
        }
    }
}
