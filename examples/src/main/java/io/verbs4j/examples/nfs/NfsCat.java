// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.examples.nfs;

import io.verbs4j.MemoryRegion;
import io.verbs4j.cm.ConnectionOptions;
import io.verbs4j.cm.Messages;
import io.verbs4j.cm.RdmaConnection;
import io.verbs4j.types.Access;
import io.verbs4j.types.VerbsException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// Prints a file of an NFS server: `NfsCat ADDRESS PATH`. The path starts at the root that the server exports by NFS
/// version 4.
///
/// NFS ([RFC 7530](https://www.rfc-editor.org/rfc/rfc7530)) consists of remote procedure calls
/// ([RFC 5531](https://www.rfc-editor.org/rfc/rfc5531)). Over RDMA, each call and each reply is one message with a
/// header in front ([RFC 8166](https://www.rfc-editor.org/rfc/rfc8166)). The header of a call can list memory of the
/// client. The server writes the bytes of a file into this memory, and does not send them in the reply. All numbers
/// are big-endian and have 4 or 8 bytes.
public final class NfsCat {
    private static final int PORT = 20049;
    /// The longest message without an agreement on longer ones (RFC 8166, section 3.3.2).
    private static final int MESSAGE_BYTES = 1024;
    private static final int MAX_READ_BYTES = 1 << 16;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    // Kinds of messages of RPC-over-RDMA.
    private static final int RDMA_MSG = 0;
    private static final int RDMA_ERROR = 4;
    private static final int ERR_VERS = 1;

    private static final int NFS = 100003;
    private static final int NULL = 0;
    private static final int COMPOUND = 1;

    // Operations of COMPOUND.
    private static final int LOOKUP = 15;
    private static final int PUTROOTFH = 24;
    private static final int READ = 25;

    private static final Map<Integer, String> STATUS = Map.of(
            2, "no such file or directory (NFS4ERR_NOENT)",
            5, "input/output error (NFS4ERR_IO)",
            13, "permission denied (NFS4ERR_ACCESS)",
            20, "a part of the path is not a directory (NFS4ERR_NOTDIR)",
            21, "is a directory (NFS4ERR_ISDIR)",
            10008, "the server is busy, try again (NFS4ERR_DELAY)",
            10016, "the export requires another kind of authentication (NFS4ERR_WRONGSEC)",
            10029, "a part of the path is a symbolic link (NFS4ERR_SYMLINK)");
    private static final List<String> ACCEPT_STATUS =
            List.of("SUCCESS", "PROG_UNAVAIL", "PROG_MISMATCH", "PROC_UNAVAIL", "GARBAGE_ARGS", "SYSTEM_ERR");

    private final Messages messages;
    private final MemoryRegion data;
    private final int user;
    private final int group;
    private int lastId;
    /// Number of bytes that the server has written to the memory before the last reply.
    private int written;

    private NfsCat(RdmaConnection connection) throws IOException {
        messages = connection.messages();
        user = owner("uid");
        group = owner("gid");
        data = connection.protectionDomain().allocate(MAX_READ_BYTES, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    }

    /// Runs the program.
    public static void main(String... arguments) throws InterruptedException {
        if (arguments.length != 2) {
            System.err.println("Usage: NfsCat ADDRESS PATH");
            System.exit(2);
        }
        try {
            // System.out would ignore failures, such as a full disk.
            var out = new FileOutputStream(FileDescriptor.out);
            copy(new InetSocketAddress(arguments[0], PORT), arguments[1], out);
        } catch (IOException | VerbsException e) {
            System.err.println("NfsCat: " + e.getMessage());
            System.exit(1);
        }
    }

    /// Copies a file of a server into a stream.
    ///
    /// @throws IOException if the server refuses a call, or the stream fails
    public static void copy(InetSocketAddress server, String path, OutputStream out)
            throws IOException, InterruptedException {
        // One outstanding call, so one message in each direction.
        var options = ConnectionOptions.defaults().withPlainMessages(1, MESSAGE_BYTES);
        try (var connection = RdmaConnection.connect(server, options)) {
            var nfs = new NfsCat(connection);
            nfs.call(NULL, ByteBuffer.allocate(0));
            long offset = 0;
            boolean end = false;
            while (!end) {
                ByteBuffer results = nfs.read(path, offset);
                end = results.getInt() != 0;
                int length = results.getInt();
                require(length >= 0 && length <= Math.min(nfs.written, MAX_READ_BYTES),
                        "the server has not written the bytes that it reports");
                require(end || length > 0, "the server has sent no bytes before the file's end");
                out.write(nfs.data.segment().asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
                offset += length;
            }
        } catch (BufferOverflowException e) {
            throw new IOException(path + ": the path is too long", e);
        } catch (BufferUnderflowException e) {
            throw new IOException("the server's reply is incomplete", e);
        }
    }

    /// Reads a part of a file into the registered memory.
    ///
    /// @return the results of READ: whether this is the file's end, and the number of bytes
    private ByteBuffer read(String path, long offset) throws IOException, InterruptedException {
        List<String> names = Arrays.stream(path.split("/")).filter(name -> !name.isEmpty()).toList();
        ByteBuffer operations = ByteBuffer.allocate(MESSAGE_BYTES);
        operations.putInt(0); // no tag
        operations.putInt(0); // minor version
        operations.putInt(names.size() + 2); // number of operations
        operations.putInt(PUTROOTFH);
        for (String name : names) {
            byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
            operations.putInt(LOOKUP).putInt(bytes.length).put(bytes).put(new byte[-bytes.length & 3]);
        }
        operations.putInt(READ);
        operations.putInt(-1).putLong(-1).putInt(-1); // a read without OPEN that ignores locks
        operations.putLong(offset).putInt(MAX_READ_BYTES);

        ByteBuffer results = call(COMPOUND, operations.flip());
        int status = results.getInt();
        if (status != 0) {
            throw new IOException(path + ": " + STATUS.getOrDefault(status, "status " + status + " of NFS"));
        }
        skipBytes(results); // the tag
        results.getInt(); // number of results
        return skip(results, 8 * (names.size() + 2)); // each operation and its status
    }

    /// Calls a procedure of NFS version 4.
    ///
    /// @return the results in the reply
    private ByteBuffer call(int procedure, ByteBuffer arguments) throws IOException, InterruptedException {
        int id = ++lastId;
        ByteBuffer call = ByteBuffer.allocate(MESSAGE_BYTES);

        // The header of RPC-over-RDMA.
        call.putInt(id);
        call.putInt(1); // version
        call.putInt(1); // credits: the number of concurrent calls that the client asks for
        call.putInt(RDMA_MSG); // the call follows this header
        call.putInt(0); // end of the read chunks: memory that the server reads arguments from
        if (procedure == COMPOUND) {
            call.putInt(1); // a write chunk: memory that the server writes the file's bytes to
            call.putInt(1); // number of its segments
            call.putInt(data.remoteKey()).putInt((int) data.length()).putLong(data.address());
        }
        call.putInt(0); // end of the write chunks
        call.putInt(0); // no reply chunk: memory for a reply that is too long for a message

        // The remote procedure call.
        call.putInt(id);
        call.putInt(0); // a call
        call.putInt(2); // version of RPC
        call.putInt(NFS).putInt(4).putInt(procedure);
        call.putInt(1).putInt(20); // AUTH_SYS, and the length of the credentials
        call.putInt(0).putInt(0); // no time stamp, no host name
        call.putInt(user).putInt(group).putInt(0); // no more groups
        call.putInt(0).putInt(0); // no verifier
        call.put(arguments);
        messages.send(Arrays.copyOf(call.array(), call.position()), TIMEOUT);

        // The server writes to the memory first, and sends the reply afterwards. So the memory is complete now.
        ByteBuffer reply = ByteBuffer.wrap(messages.receive(TIMEOUT)
                .orElseThrow(() -> new IOException("the server does not answer")));
        require(reply.getInt() == id, "the server answers another call");
        skipHeader(reply);
        require(reply.getInt() == id && reply.getInt() == 1, "the server's message is no reply to the call");
        boolean denied = reply.getInt() != 0;
        if (denied) {
            boolean versions = reply.getInt() == 0;
            throw new IOException(versions
                    ? "the server does not support version 2 of RPC"
                    : "the server rejects this machine or user " + user + ", AUTH_ERROR " + reply.getInt());
        }
        reply.getInt(); // kind of verifier
        skipBytes(reply);
        int status = reply.getInt();
        require(status == 0, "the server refuses calls of NFS version 4: "
                + (status > 0 && status < ACCEPT_STATUS.size() ? ACCEPT_STATUS.get(status) : status));
        return reply;
    }

    /// Skips the rest of a reply's header.
    private void skipHeader(ByteBuffer reply) throws IOException {
        reply.getInt(); // version
        reply.getInt(); // credits: the number of concurrent calls that the server permits
        int kind = reply.getInt();
        if (kind == RDMA_ERROR) {
            throw new IOException(reply.getInt() == ERR_VERS
                    ? "the server supports versions " + reply.getInt() + " to " + reply.getInt()
                            + " of RPC-over-RDMA, and the client version 1"
                    : "the server cannot use the chunks of the call (ERR_CHUNK)");
        }
        require(kind == RDMA_MSG && reply.getInt() == 0, "unexpected header of RPC-over-RDMA");
        written = 0;
        while (reply.getInt() != 0) { // the call's write chunk, with the lengths that the server has written
            for (int segments = reply.getInt(); segments > 0; segments--) {
                written += skip(reply, 4).getInt();
                skip(reply, 8);
            }
        }
        require(reply.getInt() == 0, "unexpected reply chunk");
    }

    /// Skips bytes with their length in front, and the padding behind them.
    private static void skipBytes(ByteBuffer buffer) {
        int length = buffer.getInt();
        skip(buffer, length + (-length & 3));
    }

    private static ByteBuffer skip(ByteBuffer buffer, int length) {
        if (length < 0 || length > buffer.remaining()) {
            throw new BufferUnderflowException();
        }
        return buffer.position(buffer.position() + length);
    }

    private static void require(boolean holds, String failure) throws IOException {
        if (!holds) {
            throw new IOException(failure);
        }
    }

    /// Returns the user or the group of this process.
    private static int owner(String kind) throws IOException {
        return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:" + kind);
    }
}
