// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionQueue;
import io.verbs4j.Context;
import io.verbs4j.MemoryRegion;
import io.verbs4j.QueuePair;
import io.verbs4j.SendBatch;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tests.support.TemporaryRxe;
import io.verbs4j.types.Access;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A device, or its network interface, that is removed while threads post and poll. rxe delays its removal until all
/// programs have closed the device. Until then work continues, or fails with a status, and all posted work completes.
@DeviceTest
@RealKernel("network interfaces")
@Needs.EachKernel
class RemovedUnderLoadIT {
    private static final Duration LIMIT = Duration.ofSeconds(100);
    private static final int BATCH = 32;
    private static final int CREDITS = 400;

    private final AtomicBoolean stop = new AtomicBoolean();
    /// Set once nobody posts any more, so that the count of what was posted is the last.
    private final AtomicBoolean allPosted = new AtomicBoolean();
    private final AtomicLong posted = new AtomicLong();
    private final AtomicLong completed = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();

    private int post(QueuePair queuePair, MemoryRegion memory) {
        while (!stop.get()) {
            if (posted.get() - completed.get() > CREDITS) {
                Thread.onSpinWait();
                continue;
            }
            try (SendBatch batch = queuePair.beginSend()) {
                int count = 0;
                while (count < BATCH && batch.signaled()
                        .write()
                        .local(memory, 0, 64)
                        .remote(memory.remote(), 64)
                        .post()) {
                    count++;
                }
                posted.addAndGet(count);
                assertThat(batch.submit()).isEqualTo(count);
            }
        }
        return 0;
    }

    private int poll(CompletionQueue queue) {
        while (!allPosted.get() || completed.get() < posted.get()) {
            queue.poll(BATCH, completion -> {
                completed.incrementAndGet();
                if (!completion.isSuccess()) {
                    failed.incrementAndGet();
                }
            });
        }
        return 0;
    }

    @ParameterizedTest
    @ValueSource(strings = {"rdma link delete " + TemporaryRxe.NAME, "ip link delete " + TemporaryRxe.INTERFACE})
    void everythingThatIsPostedCompletes(String removal) throws Exception {
        try (var device = new TemporaryRxe(); var removing = removeUnderLoad(device, removal.split(" "))) {
            removing.await(LIMIT).requireSuccess();
        }
        IO.println(removal + ": " + completed + " completions, " + failed + " of them failed");
    }

    /// @return the removal, which ends now that nobody has the device open
    private ExternalProcess.Running removeUnderLoad(TemporaryRxe device, String... removal) throws Exception {
        try (Context context = device.open()) {
            var domain = context.allocateProtectionDomain();
            var queue = context.createCompletionQueue(4 * CREDITS);
            var memory = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
            var prepared = domain.reliableConnection(queue).maxSends(CREDITS).prepare();
            QueuePair queuePair = prepared.connect(prepared.endpoint());
            var posters = new ArrayList<InThread.Started<Integer>>();
            posters.add(InThread.PLATFORM.start(() -> post(queuePair, memory)));
            posters.add(InThread.PLATFORM.start(() -> post(queuePair, memory)));
            var poller = InThread.PLATFORM.start(() -> poll(queue));
            Eventually.until(LIMIT, () -> completed.get() > 1000, () -> completed + " of " + posted);
            ExternalProcess.Running removing = ExternalProcess.of(removal).start();
            Eventually.until(LIMIT, () -> !TemporaryRxe.isListed(), removing::output);
            long whenRemoved = completed.get();
            Eventually.until(LIMIT, () -> completed.get() > whenRemoved + 1000, () -> completed + " of " + posted);
            stop.set(true);
            for (var poster : posters) {
                poster.result(LIMIT);
            }
            allPosted.set(true);
            poller.result(LIMIT);
            assertThat(completed).hasValue(posted.get());
            return removing;
        }
    }
}
