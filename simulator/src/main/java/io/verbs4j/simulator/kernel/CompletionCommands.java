// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.abi.uapi.IbUverbsCompEventDesc;
import io.verbs4j.simulator.rxe.CompletionQueue;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Commands on completion queues.
record CompletionCommands(OpenDevice file) {
    /// `1 << RXE_MAX_LOG_CQE` minus one (rxe_param.h).
    private static final int MAX_ENTRIES = 32767;

    private static final int NO_CHANNEL = -1;
    private static final int RING_BYTES = 16;

    /// A new queue.
    record Created(int handle, int entries) {}

    Created create(int entries, long userHandle, int channel, int vector, int flags, MemorySegment driver) {
        Refusal.when(vector < 0 || vector >= Commands.VECTORS, Errno.EINVAL);
        EventQueue events = channel == NO_CHANNEL ? null : file.channel(channel);
        Refusal.when(entries <= 0, Errno.EINVAL);
        Refusal.when(driver.byteSize() < RING_BYTES, Errno.EINVAL);
        Refusal.when(flags != 0, Errno.EOPNOTSUPP);
        Refusal.when(entries > MAX_ENTRIES, Errno.EINVAL);
        var object = new KernelObject.Completions(userHandle, events);
        var queue = new CompletionQueue(entries, new CompletionQueue.Listener() {
            @Override
            public void completed() {
                if (events != null) {
                    events.add(record(userHandle), object, () -> object.completionEvents++);
                }
            }

            @Override
            public void failed(AsyncEventType event) {
                file.report(object, event);
            }
        });
        object.queue = queue;
        Commands.offer(file, driver, queue.ring());
        return new Created(file.objects().add(object), queue.ring().capacity());
    }

    private static byte[] record(long userHandle) {
        var bytes = new byte[IbUverbsCompEventDesc.STRUCT.size()];
        MemorySegment.ofArray(bytes).set(ValueLayout.JAVA_LONG_UNALIGNED, 0, userHandle);
        return bytes;
    }

    private KernelObject.Completions get(int handle) {
        return file.objects().get(handle, KernelObject.Completions.class);
    }

    int resize(int handle, int entries, MemorySegment driver) {
        CompletionQueue queue = get(handle).queue();
        Refusal.when(driver.byteSize() < RING_BYTES, Errno.EINVAL);
        Refusal.when(entries <= 0 || entries > MAX_ENTRIES || entries < queue.waiting(), Errno.EINVAL);
        queue.resize(entries);
        Commands.offer(file, driver, queue.ring());
        return queue.ring().capacity();
    }

    void arm(int handle, boolean solicitedOnly) {
        get(handle).queue().arm(solicitedOnly);
    }

    KernelObject.Completions destroy(int handle) {
        KernelObject.Completions object = get(handle);
        Refusal.when(object.isUsed(), Errno.EBUSY);
        file.forget(object);
        file.objects().remove(handle);
        return object;
    }
}
