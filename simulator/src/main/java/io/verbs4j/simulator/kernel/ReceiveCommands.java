// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.simulator.kernel;

import io.verbs4j.abi.uapi.CView;
import io.verbs4j.simulator.profile.Behaviour;
import io.verbs4j.simulator.rxe.Memory;
import io.verbs4j.simulator.rxe.SharedReceives;
import io.verbs4j.types.AsyncEventType;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Commands on shared receive queues.
record ReceiveCommands(OpenDevice file) {
    private static final int MAX_RECEIVES = 1 << 20;
    private static final int MAX_ELEMENTS = 27;
    private static final int DRIVER_ANSWER = 24;
    private static final int NUMBER = 16;
    private static final int RING_BYTES = 16;
    private static final int MAX_WR = 1;
    private static final int LIMIT = 2;

    /// A new queue.
    record Created(int handle, int receives, int elements) {}

    void create(CView in, CView out, MemorySegment driver) {
        Created created = create(
                in.getInt("pd_handle"),
                in.get("user_handle"),
                in.getInt("max_wr"),
                in.getInt("max_sge"),
                in.getInt("srq_limit"),
                driver);
        out.set("srq_handle", created.handle()).set("max_wr", created.receives()).set("max_sge", created.elements());
    }

    Created create(int domain, long userHandle, int receives, int elements, int limit, MemorySegment driver) {
        KernelObject.Domain pd = file.objects().get(domain, KernelObject.Domain.class);
        Refusal.when(driver.byteSize() < DRIVER_ANSWER, Errno.EINVAL);
        check(receives);
        Refusal.when(elements < 0 || elements > MAX_ELEMENTS, Errno.EINVAL);
        var object = new KernelObject.Receives(userHandle, pd);
        SharedReceives queue = file.node()
                .rxe()
                .sharedReceives(
                        receives,
                        Math.max(elements, 1),
                        limit,
                        () -> file.report(object, AsyncEventType.SRQ_LIMIT_REACHED));
        if (queue == null) {
            throw new Refusal(Errno.ENOMEM);
        }
        object.queue = queue;
        Commands.offer(file, driver, queue.ring());
        driver.set(ValueLayout.JAVA_INT_UNALIGNED, NUMBER, queue.index());
        boolean asked = file.node().profile().has(Behaviour.QUEUES_REPORT_WHAT_WAS_ASKED_FOR);
        return new Created(
                file.objects().add(object), asked ? receives : queue.ring().capacity(), queue.maxElements());
    }

    /// Refuses an invalid capacity.
    static void check(int receives) {
        Refusal.when(receives <= 0 || receives > MAX_RECEIVES, Errno.EINVAL);
    }

    private KernelObject.Receives get(int handle) {
        return file.objects().get(handle, KernelObject.Receives.class);
    }

    void modify(CView in, MemorySegment driver) {
        SharedReceives queue = get(in.getInt("srq_handle")).queue();
        Refusal.when(driver.byteSize() < Long.BYTES, Errno.EINVAL);
        int mask = in.getInt("attr_mask");
        int receives = in.getInt("max_wr");
        int limit = in.getInt("srq_limit");
        if ((mask & MAX_WR) != 0) {
            check(receives);
            Refusal.when(queue.limit() > 0 && receives < queue.limit(), Errno.EINVAL);
        }
        if ((mask & LIMIT) != 0) {
            Refusal.when(limit < 0 || limit > queue.ring().capacity(), Errno.EINVAL);
        }
        if ((mask & MAX_WR) != 0) {
            Refusal.when(receives < queue.waiting(), Errno.EINVAL);
            queue.resize(receives);
            long place = driver.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
            Commands.offer(file, Memory.at(place, RING_BYTES), queue.ring());
        }
        if ((mask & LIMIT) != 0) {
            queue.limit(limit);
        }
    }

    void query(int handle, CView out) {
        SharedReceives queue = get(handle).queue();
        out.set("max_wr", queue.ring().capacity())
                .set("max_sge", queue.maxElements())
                .set("srq_limit", queue.limit());
    }

    KernelObject.Receives destroy(int handle) {
        KernelObject.Receives object = get(handle);
        Refusal.when(object.isUsed(), Errno.EBUSY);
        file.node().rxe().remove(object.queue());
        file.forget(object);
        file.objects().remove(handle);
        return object;
    }
}
