// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.threads;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.tests.support.Covers;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Access;
import io.verbs4j.types.AddressVector;
import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Many threads create and close objects at once. That nothing is left behind is checked when the class has ended.
@DeviceTest
@Covers({
        "ibv_open_device", "ibv_close_device", "ibv_alloc_pd", "ibv_dealloc_pd", "ibv_reg_mr", "ibv_dereg_mr",
        "ibv_create_cq",
        "ibv_destroy_cq", "ibv_create_qp", "ibv_destroy_qp", "ibv_create_srq", "ibv_destroy_srq", "ibv_create_ah",
        "ibv_destroy_ah"
})
@Needs.EachKernel
class ObjectsOfManyThreadsIT {
    private static final int THREADS = 4;
    private static final int ROUNDS = 20;

    /// Holds what is open at the moment, by kind and number.
    private final Set<String> open = ConcurrentHashMap.newKeySet();

    @ParameterizedTest
    @EnumSource
    void comeAndGoOnOneContext(InThread kind) throws Exception {
        try (var context = Rxe.open()) {
            together(kind, () -> createAndClose(context));
        }
        assertThat(open).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void comeAndGoOnContextsOfTheirOwn(InThread kind) throws Exception {
        together(kind, () -> {
            try (var context = Rxe.open()) {
                createAndClose(context);
            }
        });
        assertThat(open).isEmpty();
    }

    @Test
    void comeAndGoBesideTraffic() throws Exception {
        try (var writes = new Writes(20_000)) {
            writes.start(2, InThread.PLATFORM, () -> writes.postBatches(64))
                    .start(1, InThread.PLATFORM, writes::poll);
            together(InThread.VIRTUAL, () -> createAndClose(writes.end().context()));
            writes.finish();
        }
    }

    @Test
    void areClosedByOneThreadOnlyOnceAndNeverUnderAChildThatAnotherCreates() throws Exception {
        try (var context = Rxe.open()) {
            for (int round = 0; round < ROUNDS; round++) {
                var domain = context.allocateProtectionDomain();
                var start = new CyclicBarrier(3);
                Callable<Boolean> closer = () -> {
                    start.await(10, TimeUnit.SECONDS);
                    try {
                        domain.close();
                        return true;
                    } catch (IllegalStateException e) {
                        assertThat(e).hasMessageContaining("used");
                        return false;
                    }
                };
                var first = InThread.PLATFORM.start(closer);
                var second = InThread.VIRTUAL.start(closer);
                start.await(10, TimeUnit.SECONDS);
                boolean created = false;
                try (var region = domain.allocate(4096, Access.LOCAL_WRITE)) {
                    assertThat(domain.isClosed()).isFalse();
                    assertThat(region.isClosed()).isFalse();
                    created = true;
                } catch (IllegalStateException e) {
                    assertThat(e).hasMessageContaining("closed");
                }
                boolean closed = first.result() | second.result();
                assertThat(closed || created).as("one of them had its way").isTrue();
                assertThat(domain.isClosed()).isEqualTo(closed);
                domain.close();
            }
        }
    }

    private void createAndClose(Context context) {
        try (
                var domain = context.allocateProtectionDomain();
                var channel = context.createCompletionChannel();
                var queue = context.createCompletionQueue(CompletionQueueOptions.entries(16).withChannel(channel));
                var region = domain.allocate(8192, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
                var shared = domain.createSharedReceiveQueue(16, 1);
                var queuePair = domain.reliableConnection(queue).sharedReceiveQueue(shared).create();
                var handle = domain.createAddressHandle(AddressVector.roce(1, Rxe.IPV4_INDEX, Rxe.gid(1)))) {
            // What the kernel hands out is nobody else's until it is given back.
            var names = Set.of(
                    "queue pair " + queuePair.number(), "shared " + shared.number(), "key " + region.localKey());
            for (String name : names) {
                assertThat(open.add(name)).as(name).isTrue();
            }
            assertThat(handle.isClosed()).isFalse();
            open.removeAll(names);
        }
    }

    private static void together(InThread kind, Runnable work) throws Exception {
        var start = new CyclicBarrier(THREADS);
        var workers = new ArrayList<InThread.Started<Integer>>();
        for (int i = 0; i < THREADS; i++) {
            workers.add(kind.start(() -> {
                start.await(10, TimeUnit.SECONDS);
                for (int round = 0; round < ROUNDS; round++) {
                    work.run();
                }
                return ROUNDS;
            }));
        }
        for (var worker : workers) {
            assertThat(worker.result()).isEqualTo(ROUNDS);
        }
    }
}
