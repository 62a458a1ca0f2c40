// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionRecord;
import io.verbs4j.Context;
import io.verbs4j.InjectedDevices;
import io.verbs4j.QueuePair;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.FileCalls;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Rxe;
import io.verbs4j.types.Access;
import io.verbs4j.types.CompletionStatus;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// Receives that one thread posts at the moment in which another moves the queue pair to ERR.
@DeviceTest
@Needs.EachKernel
class LateReceiveIT {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /// Runs once after the next command, when the kernel has answered and the program does not know yet.
    private final AtomicReference<Runnable> afterCommand = new AtomicReference<>(() -> {});

    private DeviceFile file() {
        return FileCalls.of(Rxe.openFile(), call -> {
            Object result = call.pass();
            if (call.isCommand()) {
                afterCommand.getAndSet(() -> {}).run();
            }
            return result;
        });
    }

    @Test
    void areFlushed() throws Exception {
        try (Context context = InjectedDevices.open(file())) {
            var domain = context.allocateProtectionDomain();
            var queue = context.createCompletionQueue(8);
            QueuePair pair = domain.reliableConnection(queue).create();
            var memory = domain.allocate(64, Access.LOCAL_WRITE);
            pair.modify(QueuePairAttributes.builder()
                    .state(QueuePairState.INIT)
                    .port(1)
                    .pkeyIndex(0)
                    .accessFlags(0)
                    .build());
            afterCommand.set(() -> {
                try {
                    Thread.sleep(300); // until the device has flushed what it found
                    Thread.ofPlatform().start(() -> {
                        try (var batch = pair.beginReceive()) {
                            batch.workRequestId(7).receive(memory, 0, 64);
                            batch.submit();
                        }
                    }).join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            pair.modify(QueuePairAttributes.builder().state(QueuePairState.ERR).build());

            var completions = new ArrayList<CompletionRecord>();
            queue.poll(8, completion -> completions.add(completion.toRecord()), LIMIT);
            assertThat(completions)
                    .singleElement()
                    .satisfies(completion -> {
                        assertThat(completion.workRequestId()).isEqualTo(7);
                        assertThat(completion.status()).isEqualTo(CompletionStatus.WORK_REQUEST_FLUSHED);
                    });
        }
    }
}
