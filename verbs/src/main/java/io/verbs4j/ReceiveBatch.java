// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import io.verbs4j.abi.jfr.FlightRecords;
import io.verbs4j.spi.ReceiveQueueOps;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.Ranges;
import io.verbs4j.types.ScatterGatherList;
import java.util.List;

/// Receives that are posted together: `try (var batch = queuePair.beginReceive()) { batch.receive(…); … batch.submit();
/// }`.
///
/// [#submit()] hands the receives to the device. A batch that is closed without [#submit()] posts none. The batch holds
/// the queue's lock from beginning to end and belongs to the thread that began it. The object is reused, so posting
/// allocates nothing. Posting makes no system call either.
///
/// @see <a href="https://man7.org/linux/man-pages/man3/ibv_post_recv.3.html">ibv_post_recv(3)</a>
public final class ReceiveBatch implements AutoCloseable {
    private final VerbsObject queue;
    private final ProtectionDomain domain;
    private final ReceiveQueueOps ops;
    private final Runnable afterSubmit;
    private final BatchLock lock;
    private long workRequestId;

    /// @param lock held around a batch
    /// @param afterSubmit the queue's action after receives were posted
    ReceiveBatch(
            VerbsObject queue, ProtectionDomain domain, ReceiveQueueOps ops, BatchLock lock, Runnable afterSubmit) {
        this.queue = queue;
        this.domain = domain;
        this.ops = ops;
        this.lock = lock;
        this.afterSubmit = afterSubmit;
    }

    /// The caller holds the queue's lock.
    void begin() {
        lock.requireIdle();
        ops.begin();
        lock.opened();
        workRequestId = 0;
    }

    /// Sets the identifier for the completion of the next receive; 0 by default. The next receive consumes the
    /// identifier even if that receive is rejected with an exception.
    public ReceiveBatch workRequestId(long id) {
        workRequestId = id;
        return this;
    }

    /// Receives into a part of a region that grants `LOCAL_WRITE`. A receive of a datagram needs room for 40 bytes in
    /// front of the payload.
    ///
    /// @return false if the queue is full
    /// @throws IllegalArgumentException if the region lacks `LOCAL_WRITE` or belongs to another protection domain
    public boolean receive(MemoryRegion region, long offset, long length) {
        long id = takeId();
        region.requireLocalWrite("a receive");
        Ranges.check("length", length, 0, Integer.MAX_VALUE);
        long address = region.addressFor(domain, offset, length);
        return posted(ops.receive(id, address, (int) length, region.localKey()));
    }

    /// Receives into the parts, concatenated.
    ///
    /// @return false if the queue is full
    public boolean receive(LocalMemory... parts) {
        long id = takeId();
        for (LocalMemory part : parts) {
            part.region().requireLocalWrite("a receive");
        }
        return receive(id, LocalMemory.list(List.of(parts), domain));
    }

    /// Receives into the listed buffers, concatenated.
    ///
    /// @return false if the queue is full
    public boolean receive(ScatterGatherList list) {
        return receive(takeId(), list);
    }

    private boolean receive(long id, ScatterGatherList list) {
        Ranges.check("list.totalLength", list.totalLength(), 0, Integer.MAX_VALUE);
        return posted(ops.receive(id, list));
    }

    /// Receives into memory at an address, with an lkey. Neither is checked against regions.
    ///
    /// @return false if the queue is full
    public boolean post(long address, int length, int localKey) {
        long id = takeId();
        Ranges.check("length", length, 0, Integer.MAX_VALUE);
        return posted(ops.receive(id, address, length, localKey));
    }

    private long takeId() {
        lock.requireHere();
        long id = workRequestId;
        workRequestId = 0;
        return id;
    }

    boolean receive(ReceiveWorkRequest request) {
        return workRequestId(request.id()).receive(request.parts().toArray(LocalMemory[]::new));
    }

    private boolean posted(int result) {
        return result == PostResult.POSTED || full();
    }

    private boolean full() {
        FlightRecords.queueFull(queue);
        return false;
    }

    /// Hands the receives to the device and ends the batch.
    ///
    /// @return the number of receives
    public int submit() {
        lock.requireHere();
        int count;
        try {
            count = ops.publish();
        } finally {
            end();
        }
        if (count > 0) {
            afterSubmit.run();
        }
        return count;
    }

    /// Ends the batch. Without [#submit()], none of its receives is posted. Idempotent.
    @Override
    public void close() {
        if (!lock.isHere()) {
            return;
        }
        try {
            ops.abandon();
        } finally {
            end();
        }
    }

    private void end() {
        lock.closed();
        lock.unlock();
    }
}
