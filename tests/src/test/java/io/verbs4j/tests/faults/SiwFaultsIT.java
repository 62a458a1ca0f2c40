// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.CompletionChannel;
import io.verbs4j.CompletionQueue;
import io.verbs4j.CompletionQueueOptions;
import io.verbs4j.Context;
import io.verbs4j.InjectedDevices;
import io.verbs4j.MemoryRegion;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.QueuePair;
import io.verbs4j.SharedReceiveQueue;
import io.verbs4j.VerbsObject;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.FaultInjector;
import io.verbs4j.tests.support.FaultInjector.Fault;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.Siw;
import io.verbs4j.tests.support.Wire;
import io.verbs4j.types.Access;
import io.verbs4j.types.QueuePairAttributes;
import io.verbs4j.types.QueuePairState;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Each system call of a program over siw fails once. The failure is reported, and no objects are left. The program
/// creates one object of each kind, queries it, and destroys its queue pair. Connecting is left to the connection
/// manager.
@DeviceTest
@Siw.Test
@Needs.OneKernel
@Needs.LongRun("each system call fails once")
class SiwFaultsIT {
    private static final int NEVER = Integer.MAX_VALUE;

    @Test
    void everyCallThatFailsIsReportedAndLeavesNothing() {
        int runs = 0;
        for (boolean closes : new boolean[]{true, false}) {
            int calls = callsWithoutFault(closes).size();
            assertThat(calls).isGreaterThan(15);
            for (int call = 1; call <= calls; call++) {
                fail(call, Outcome.ERRORS.get(runs++ % Outcome.ERRORS.size()), closes);
            }
        }
    }

    private static List<String> callsWithoutFault(boolean closes) {
        FaultInjector injector = injector(NEVER, new Fault.Short(), () -> {});
        Outcome outcome = run(injector, closes);
        assertThat(outcome.thrown()).isNull();
        assertThat(outcome.closing()).isNull();
        return injector.calls();
    }

    private static void fail(int call, int errno, boolean closes) {
        boolean struck = FaultRun.fail(
                errno,
                beforeClose -> injector(call, new Fault.Fails(errno), beforeClose),
                injector -> run(injector, closes));
        assertThat(struck).as("call %d is made", call).isTrue();
    }

    private static FaultInjector injector(int call, Fault fault, Runnable beforeClose) {
        return new FaultInjector(Wire.openFile(), call, fault, beforeClose);
    }

    private static Outcome run(FaultInjector injector, boolean closes) {
        return Outcome.of(injector, () -> InjectedDevices.open(Wire.left(), injector), context -> {
            List<VerbsObject> made = take(context);
            if (closes) {
                made.forEach(VerbsObject::close);
            }
        });
    }

    private static List<VerbsObject> take(Context context) {
        ProtectionDomain domain = context.allocateProtectionDomain();
        MemoryRegion memory = domain.allocate(8192, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
        CompletionChannel channel = context.createCompletionChannel();
        CompletionQueue queue = context.createCompletionQueue(CompletionQueueOptions.entries(7).withChannel(channel));
        SharedReceiveQueue shared = domain.createSharedReceiveQueue(8, 1);
        QueuePair sharing = domain.reliableConnection(queue).sharedReceiveQueue(shared).maxSends(7).create();
        QueuePair queuePair = domain.reliableConnection(queue).maxSends(7).maxReceives(7).create();
        try (var receives = shared.beginReceive()) {
            receives.receive(memory, 0, 64);
            receives.submit();
        }
        shared.armLimit(1);
        shared.query();
        queue.requestNotification(false);
        assertThat(context.port(1).port()).isEqualTo(1);
        assertThat(context.gids(1)).isNotNull();
        queuePair.query();
        queuePair.modify(QueuePairAttributes.builder().state(QueuePairState.ERR).build());
        try (var receives = queuePair.beginReceive()) {
            receives.workRequestId(5).receive(memory, 0, 64);
            receives.submit();
        }
        assertThat(queue.poll(1, completion -> assertThat(completion.isSuccess()).isFalse())).isEqualTo(1);
        context.asyncEvents().poll();
        return List.of(queuePair, sharing, shared, queue, channel, memory, domain);
    }
}
