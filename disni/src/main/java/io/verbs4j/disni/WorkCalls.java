// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.disni;

import io.verbs4j.CompletionQueue;
import io.verbs4j.ReceiveBatch;
import io.verbs4j.SendBatch;
import io.verbs4j.WorkCompletion;
import io.verbs4j.types.ScatterGatherList;
import io.verbs4j.types.SendFlags;
import io.verbs4j.types.VerbsException;
import io.verbs4j.types.WorkRequestOpcode;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// The calls of the data path. They read the lists of work requests again for each post, because DiSNI's users change
/// them between posts. They allocate nothing unless they fail.
///
/// A list is posted as a whole or not at all. In contrast, C posts the work requests before the rejected one.
public final class WorkCalls {
    private static final String SEND = "post a send";
    private static final String RECEIVE = "post a receive";
    private static final String POLL = "poll a completion queue";
    private static final int WC_GRH = 1;
    private static final int WC_WITH_IMMEDIATE = 1 << 1;

    private final Handles handles;

    WorkCalls(Handles handles) {
        this.handles = handles;
    }

    /// Posts a list of `ibv_send_wr`.
    ///
    /// @param queuePair its handle
    /// @param list address of the first work request
    /// @throws IOException if the queue is full, or a work request is rejected; nothing is posted then
    public void postSend(long queuePair, long list) throws IOException {
        Connection connection = handles.get(queuePair, Connection.class, "queue pair");
        try (SendBatch batch = connection.queuePair.beginSend()) {
            for (long wr = list; wr != 0; wr = Structs.getLong(wr + Structs.NEXT)) {
                describe(batch, connection, wr);
                if (!batch.post()) {
                    throw full(SEND, connection);
                }
            }
            batch.submit();
        } catch (VerbsException | IllegalStateException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw Failures.translated(SEND, e);
        }
    }

    private static IOException full(String operation, Connection connection) {
        return new IOException(operation + " failed: " + connection.queuePair + " is full; poll completions first");
    }

    private static void describe(SendBatch batch, Connection connection, long wr) throws IOException {
        int opcode = Structs.getInt(wr + Structs.OPCODE);
        int flags = Structs.getInt(wr + Structs.SEND_FLAGS);
        batch.operation(opcode).workRequestId(Structs.getLong(wr + Structs.WR_ID));
        switch (opcode) {
            case WorkRequestOpcode.SEND -> {
                // Only local memory is needed.
            }
            case WorkRequestOpcode.SEND_WITH_IMMEDIATE -> immediate(batch, wr);
            case WorkRequestOpcode.RDMA_WRITE, WorkRequestOpcode.RDMA_READ -> remote(batch, wr);
            case WorkRequestOpcode.RDMA_WRITE_WITH_IMMEDIATE -> {
                immediate(batch, wr);
                remote(batch, wr);
            }
            default -> throw new IOException(SEND + " failed: DiSNI lacks the fields for "
                    + WorkRequestOpcode.name(opcode));
        }
        if ((flags & SendFlags.SIGNALED) != 0) {
            batch.signaled();
        }
        if ((flags & SendFlags.SOLICITED) != 0) {
            batch.solicited();
        }
        if ((flags & SendFlags.FENCE) != 0) {
            batch.fence();
        }
        local(batch, connection, wr, (flags & SendFlags.INLINE) != 0);
    }

    /// Sets immediate data, which C programs store in network byte order.
    private static void immediate(SendBatch batch, long wr) {
        batch.immediate(Integer.reverseBytes(Structs.getInt(wr + Structs.IMMEDIATE)));
    }

    private static void remote(SendBatch batch, long wr) {
        batch.remote(Structs.getLong(wr + Structs.REMOTE_ADDRESS), Structs.getInt(wr + Structs.REMOTE_KEY));
    }

    private static void local(SendBatch batch, Connection connection, long wr, boolean inline) {
        int count = Structs.getInt(wr + Structs.NUM_SGE);
        long sge = Structs.getLong(wr + Structs.SG_LIST);
        if (inline) {
            inline(batch, connection, sge, count);
        } else if (count == 1) {
            batch.local(
                    Structs.getLong(sge + Structs.SGE_ADDRESS), Structs.getInt(sge + Structs.SGE_LENGTH),
                    Structs.getInt(sge + Structs.SGE_KEY));
        } else if (count > 1) {
            batch.local(fill(connection.sendList, sge, count));
        }
    }

    private static ScatterGatherList fill(ScatterGatherList list, long first, int count) {
        list.clear();
        for (int i = 0; i < count; i++) {
            long sge = first + (long) i * Structs.SGE_BYTES;
            list.add(
                    Structs.getLong(sge + Structs.SGE_ADDRESS), Structs.getInt(sge + Structs.SGE_LENGTH),
                    Structs.getInt(sge + Structs.SGE_KEY));
        }
        return list;
    }

    private static void inline(SendBatch batch, Connection connection, long first, int count) {
        MemorySegment gathered = connection.inline;
        long length = 0;
        for (int i = 0; i < count; i++) {
            long sge = first + (long) i * Structs.SGE_BYTES;
            int bytes = Structs.getInt(sge + Structs.SGE_LENGTH);
            if (bytes < 0 || bytes > gathered.byteSize() - length) {
                throw new IllegalArgumentException("inline data of more than " + gathered.byteSize()
                        + " bytes, the limit that the queue pair was created with");
            }
            Structs.copy(Structs.getLong(sge + Structs.SGE_ADDRESS), gathered, length, bytes);
            length += bytes;
        }
        batch.inline(gathered, 0, length);
    }

    /// Posts a list of `ibv_recv_wr`.
    ///
    /// @param queuePair its handle
    /// @param list address of the first work request
    /// @throws IOException if the queue is full, or a work request is rejected; nothing is posted then
    public void postReceive(long queuePair, long list) throws IOException {
        Connection connection = handles.get(queuePair, Connection.class, "queue pair");
        try (ReceiveBatch batch = connection.queuePair.beginReceive()) {
            for (long wr = list; wr != 0; wr = Structs.getLong(wr + Structs.NEXT)) {
                if (!receive(batch, connection, wr)) {
                    throw full(RECEIVE, connection);
                }
            }
            batch.submit();
        } catch (VerbsException | IllegalStateException | IllegalArgumentException | IndexOutOfBoundsException e) {
            throw Failures.translated(RECEIVE, e);
        }
    }

    private static boolean receive(ReceiveBatch batch, Connection connection, long wr) {
        int count = Structs.getInt(wr + Structs.NUM_SGE);
        long sge = Structs.getLong(wr + Structs.SG_LIST);
        batch.workRequestId(Structs.getLong(wr + Structs.WR_ID));
        return count == 1
                ? batch.post(
                        Structs.getLong(sge + Structs.SGE_ADDRESS), Structs.getInt(sge + Structs.SGE_LENGTH),
                        Structs.getInt(sge + Structs.SGE_KEY))
                : batch.receive(fill(connection.receiveList, sge, count));
    }

    /// Polls completions into `ibv_wc` structs.
    ///
    /// @param queue its handle
    /// @param max maximum number of completions
    /// @param target address of the first struct
    /// @return the number of completions
    public int poll(long queue, int max, long target) throws IOException {
        CompletionQueue completions = handles.get(queue, Queue.class, "completion queue").queue;
        try (var batch = completions.beginPoll()) {
            int count = 0;
            while (count < max && batch.next()) {
                write(batch.current(), target + (long) count * Structs.WC_BYTES);
                count++;
            }
            return count;
        } catch (VerbsException | IllegalStateException e) {
            throw Failures.translated(POLL, e);
        }
    }

    /// Writes two or more fields at a time, because each access is slow until the JVM has compiled it.
    private static void write(WorkCompletion completion, long wc) {
        boolean immediate = completion.hasImmediateData();
        int flags = (completion.hasGlobalRouteHeader() ? WC_GRH : 0) | (immediate ? WC_WITH_IMMEDIATE : 0);
        int data = immediate ? Integer.reverseBytes(completion.immediateData()) : 0;
        Structs.putLong(wc + Structs.WR_ID, completion.workRequestId());
        Structs.putInts(wc + Structs.WC_STATUS, completion.statusCode(), completion.opcode());
        Structs.putInts(wc + Structs.WC_VENDOR_ERROR, completion.vendorError(), completion.byteLength());
        Structs.putInts(wc + Structs.WC_IMMEDIATE, data, completion.queuePairNumber());
        Structs.putInts(wc + Structs.WC_SOURCE_QUEUE_PAIR, completion.sourceQueuePairNumber(), flags);
        Structs.putInts(
                wc + Structs.WC_PKEY_INDEX,
                completion.pkeyIndex() | completion.sourceLid() << Short.SIZE,
                completion.serviceLevel() | completion.pathBits() << Byte.SIZE);
    }
}
