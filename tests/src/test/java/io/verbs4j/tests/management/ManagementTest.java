// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.Context;
import io.verbs4j.management.ContextMXBean;
import io.verbs4j.management.Management;
import io.verbs4j.management.RingMXBean;
import io.verbs4j.management.RingStatus;
import java.lang.management.ManagementFactory;
import java.util.Set;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests what a program shows of itself, without a device.
class ManagementTest {
    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

    private static Set<ObjectName> beans(String type) throws Exception {
        return SERVER.queryNames(new ObjectName("io.verbs4j:type=" + type + ",*"), null);
    }

    @AfterEach
    void stop() {
        Management.stop();
    }

    @Test
    void aProgramThatDoesNotAskRegistersNothing() throws Exception {
        try (Context _ = WatchedProbe.open()) {
            assertThat(beans("*")).isEmpty();
        }
    }

    @Test
    void eachContextAndRingHasABeanUntilItIsClosed() throws Exception {
        Management.start();
        try (Context _ = WatchedProbe.open()) {
            ObjectName name = beans("Context").iterator().next();
            var context = JMX.newMXBeanProxy(SERVER, name, ContextMXBean.class);
            assertThat(context.getDevice()).isEqualTo("none");
            assertThat(context.getProvider()).isEqualTo("rxe");
            assertThat(context.getRings().rings()).extracting(RingStatus::queue)
                    .containsExactly("cq 0", "qp 0 receive", "qp 0 send");
            RingStatus receives = context.getRings().rings().get(1);
            assertThat(receives).isEqualTo(
                    new RingStatus("qp 0 receive", "INIT", 127, 2, 2, 0, 77, receives.oldestSeenMillis(), -1));
            assertThat(beans("Ring")).hasSize(3);
            for (ObjectName ring : beans("Ring")) {
                var bean = JMX.newMXBeanProxy(SERVER, ring, RingMXBean.class);
                assertThat(bean.getCapacity()).isEqualTo(127);
                assertThat(bean.getFill()).isEqualTo(bean.getStatus().fill());
            }
        }
        assertThat(beans("Context")).isEmpty();
        assertThat(beans("Ring")).isEmpty();
    }
}
