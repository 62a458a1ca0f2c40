// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.rxe.FakeDevice;
import io.verbs4j.tests.support.Eventually;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Gid;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// No membership in a multicast group keeps a queue pair from being closed: on a simulated device.
class MulticastMembershipTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Gid GROUP = new Gid(0xff0e_0000_0000_0000L, 1);
    private static final String JOINED = "attach multicast";
    private static final String LEFT = "detach multicast";

    private final FakeDevice device = new FakeDevice();
    private final Context context = InjectedDevices.open(device);
    private final QueuePair queuePair = context.allocateProtectionDomain()
            .datagram(context.createCompletionQueue(4))
            .create();

    @AfterEach
    void free() {
        device.free();
    }

    @Test
    void endsWithTheDevice() {
        queuePair.attachMulticast(GROUP);
        device.remove();
        context.close();
        assertThat(queuePair.isClosed()).isTrue();
        assertThat(device.left()).isEmpty();
    }

    @Test
    void isNotedInTheOrderInWhichTheKernelKnowsIt() throws Exception {
        var leaving = new ArrayList<InThread.Started<QueuePair>>();
        device.after(JOINED, () -> {
            var leaver = InThread.PLATFORM.start(() -> {
                queuePair.detachMulticast(GROUP);
                return queuePair;
            });
            Eventually.until(LIMIT, () -> leaver.isDone() || leaver.isWaiting(), leaver::toString);
            leaving.add(leaver);
        });
        queuePair.attachMulticast(GROUP);
        leaving.getFirst().result(LIMIT);

        device.log().clear();
        context.close();
        assertThat(device.log()).as("it was left already").doesNotContain(LEFT).contains("destroy queue pair");
    }

    @Test
    void isLeftOnceEachByAClose() {
        queuePair.attachMulticast(GROUP);
        queuePair.attachMulticast(GROUP);
        context.close();
        assertThat(device.log()).containsSubsequence(LEFT, "destroy queue pair").containsOnlyOnce(LEFT);
    }
}
