// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.management.ContextMXBean;
import io.verbs4j.management.Management;
import io.verbs4j.management.RingStatus;
import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.ExternalProcess;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.types.RingReading;
import java.lang.management.ManagementFactory;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.InstanceNotFoundException;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The rings of a real device, seen by who watches.
@DeviceTest
@RealKernel("processes that watch another")
@Needs.OneKernel
class ManagementIT {
    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

    @BeforeEach
    void start() {
        Management.start();
    }

    @AfterEach
    void stop() {
        Management.stop();
    }

    private static List<RingStatus> rings(String device) throws Exception {
        var rings = new ArrayList<RingStatus>();
        for (ObjectName name : SERVER.queryNames(new ObjectName("io.verbs4j:type=Context,*"), null)) {
            try {
                var context = JMX.newMXBeanProxy(SERVER, name, ContextMXBean.class);
                if (context.getDevice().equals(device)) {
                    rings.addAll(context.getRings().rings());
                }
            } catch (UndeclaredThrowableException e) {
                assertThat(e).as("closed in that time").hasCauseInstanceOf(InstanceNotFoundException.class);
            }
        }
        return rings;
    }

    private static RingStatus ring(String device, String queue) throws Exception {
        return rings(device).stream().filter(ring -> ring.queue().equals(queue)).findFirst().orElseThrow();
    }

    @Test
    void fillIndicesOldestAndCompletionsFollowTheTraffic() throws Exception {
        try (var pair = ConnectedPair.onTheWire().connect()) {
            String right = "qp " + pair.right().queuePair().number();
            pair.right().receive(7, 0, 64);
            pair.right().receive(8, 64, 64);
            RingStatus receives = ring("rxe1", right + " receive");
            assertThat(receives.fill()).isEqualTo(2);
            assertThat(receives.oldestWorkRequestId()).isEqualTo(7);
            assertThat(receives.state()).isEqualTo("RTS");
            pair.left().send(9, 0, 16);
            pair.left().completions().nextSuccess();
            pair.right().completions().nextSuccess();
            receives = ring("rxe1", right + " receive");
            assertThat(receives.fill()).isEqualTo(1);
            assertThat(receives.oldestWorkRequestId()).isEqualTo(8);
            assertThat(rings("rxe0")).filteredOn(ring -> ring.queue().startsWith("cq "))
                    .singleElement()
                    .satisfies(queue -> {
                        assertThat(queue.fill()).isZero();
                        assertThat(queue.completions()).isEqualTo(1);
                    });
            RingReading sends = pair.left().queuePair().readSendRing().orElseThrow();
            assertThat(sends.isEmpty()).isTrue();
            assertThat(sends.producerIndex()).isEqualTo(1);
        }
        assertThat(rings("rxe1")).isEmpty();
    }

    @Test
    @Needs.LongRun("two virtual machines for another user")
    void theProgramOfAnotherUserMayNotBeWatched() {
        ExternalProcess.Result result = ExternalProcess.verbsOfOrdinaryUser(
                "rings", Long.toString(ProcessHandle.current().pid()), "--once").run(Duration.ofSeconds(60));
        assertThat(result.exitCode()).as(result::toString).isEqualTo(1);
        assertThat(result.output()).contains("no permission to inspect process",
                "run this command as its user or as root");
    }

    /// Nobody may read from a ring that is unmapped: that would end the whole program.
    @Test
    void queuesThatAreResizedAndClosedInThatTimeDoNoHarm() throws Exception {
        var end = new AtomicBoolean();
        var looks = new AtomicInteger();
        var watching = InThread.PLATFORM.start(() -> {
            while (!end.get()) {
                rings("rxe0");
                looks.incrementAndGet();
            }
            return null;
        });
        try {
            for (int round = 0; round < 10; round++) {
                try (var pair = ConnectedPair.onOneDevice().connect()) {
                    pair.right().receive(7, 0, 64);
                    pair.left().send(9, 0, 16);
                    pair.left().completions().nextSuccess();
                    pair.left().queue().resize(1000 + round);
                    pair.right().queue().resize(8);
                }
            }
        } finally {
            end.set(true);
        }
        watching.result(Duration.ofSeconds(30));
        assertThat(looks).hasPositiveValue();
    }
}
