// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static io.verbs4j.types.SendFlags.SIGNALED;
import static io.verbs4j.types.WorkRequestOpcode.FETCH_AND_ADD;
import static io.verbs4j.types.WorkRequestOpcode.RDMA_WRITE;
import static io.verbs4j.types.WorkRequestOpcode.SEND;
import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.spi.Completion;
import io.verbs4j.spi.SendRequest;
import io.verbs4j.types.PostResult;
import io.verbs4j.types.QueuePairType;
import io.verbs4j.types.ScatterGatherList;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Method;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The data path allocates nothing: no byte over a million posts or polls.
class AllocationTest {
    private static final int WARM_UP = 200_000;
    private static final int OPERATIONS = 1_000_000;

    private final Rings rings = new Rings();

    @AfterEach
    void close() {
        rings.close();
    }

    @Test
    void sendsAllocateNothing() {
        FakeRing fake = rings.sendMemory(128, 100);
        SendRing ring = rings.send(fake, QueuePairType.RC);
        var list = new ScatterGatherList().add(1, 2, 3).add(4, 5, 6);
        MemorySegment payload = MemorySegment.ofArray(new byte[64]);
        var request = new SendRequest();
        assertAllocatesNothing(i -> {
            ring.begin();
            int result =
                    switch (i & 3) {
                        case 0 -> ring.post(request.workRequestId(i).flags(SIGNALED).message(SEND, 0), i, 64, 1);
                        case 1 -> ring.post(request.workRequestId(i).flags(0).oneSided(RDMA_WRITE, 0, i, 5), list);
                        case 2 -> ring.postInline(request.workRequestId(i).flags(0).message(SEND, 0), payload, 0, 64);
                        default -> ring.post(request.workRequestId(i).flags(0).atomic(FETCH_AND_ADD, 8, 1, 1, 0), i,
                                Long.BYTES, 1);
                    };
            ring.publish();
            fake.consume();
            return result == PostResult.POSTED;
        });
    }

    @Test
    void datagramsAllocateNothing() {
        FakeRing fake = rings.sendMemory(128, 100);
        SendRing ring = rings.send(fake, QueuePairType.UD);
        RxeAddressHandle handle = rings.handle(1);
        var request = new SendRequest();
        assertAllocatesNothing(i -> {
            ring.begin();
            int result =
                    ring.post(request.workRequestId(i).flags(SIGNALED).message(SEND, 0).to(handle, 17, 5), i, 64, 1);
            ring.publish();
            fake.consume();
            return result == PostResult.POSTED;
        });
    }

    @Test
    void preparedSendsAllocateNothing() {
        FakeRing fake = rings.sendMemory(128, 100);
        SendRing ring = rings.send(fake, QueuePairType.RC);
        var write = ring.prepare(ops -> ops.post(SendRequest.of(1, SIGNALED).oneSided(RDMA_WRITE, 0, 8, 1), 1, 64, 1));
        MemorySegment payload = MemorySegment.ofArray(new byte[64]);
        var inline = ring.prepare(ops -> ops.postInline(SendRequest.of(1, 0).message(SEND, 0), payload, 0, 64));
        assertAllocatesNothing(i -> {
            ring.begin();
            write.workRequestId(i);
            write.local(i, 64, 1);
            write.remote(8L * i, 1);
            inline.inline(payload, 0, i & 63);
            int result = (i & 1) == 0 ? ring.post(write) : ring.post(inline);
            ring.publish();
            fake.consume();
            return result == PostResult.POSTED;
        });
    }

    @Test
    void receivesAllocateNothing() {
        FakeRing fake = rings.receiveMemory(128, 100);
        ReceiveRing ring = rings.receive(fake);
        var list = new ScatterGatherList().add(1, 2, 3).add(4, 5, 6);
        assertAllocatesNothing(i -> {
            ring.begin();
            int result = (i & 1) == 0 ? ring.receive(i, i, 64, 1) : ring.receive(i, list);
            ring.publish();
            fake.consume();
            return result == PostResult.POSTED;
        });
    }

    @Test
    void pollingAllocatesNothing() {
        FakeRing fake = rings.completionMemory(128, 100);
        CompletionRing ring = rings.completion(fake);
        var completion = new Completion();
        for (int i = 0; i < fake.mask(); i++) {
            fake.produce(FakeKernel.completion(i, 0, 0, i, 17));
        }
        assertAllocatesNothing(i -> {
            ring.begin();
            boolean some = ring.next(completion);
            ring.end();
            fake.forgeProducer((fake.consumer() + fake.mask()) & fake.mask());
            return some;
        });
    }

    private interface Operation {
        boolean run(int i);
    }

    private static void assertAllocatesNothing(Operation operation) {
        assertThat(repeat(operation, WARM_UP)).isEqualTo(WARM_UP);
        // The first reading may allocate on its own account.
        allocatedBytes();
        long before = allocatedBytes();
        int done = repeat(operation, OPERATIONS);
        long after = allocatedBytes();
        assertThat(done).isEqualTo(OPERATIONS);
        assertThat(after - before).as("bytes of %d operations", OPERATIONS).isLessThan(OPERATIONS / 100);
    }

    /// `com.sun.management.ThreadMXBean.getThreadAllocatedBytes` of this thread, found by name: the module under test,
    /// of which this test is a part, does not read the module that has it.
    private static long allocatedBytes() {
        try {
            Object bean = Class.forName("java.lang.management.ManagementFactory")
                    .getMethod("getThreadMXBean")
                    .invoke(null);
            Method bytes =
                    Class.forName("com.sun.management.ThreadMXBean").getMethod("getThreadAllocatedBytes", long.class);
            return (long) bytes.invoke(bean, Thread.currentThread().threadId());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("this JVM does not count allocations", e);
        }
    }

    private static int repeat(Operation operation, int count) {
        int done = 0;
        for (int i = 0; i < count; i++) {
            if (operation.run(i)) {
                done++;
            }
        }
        return done;
    }
}
