// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.tests.support.BrokenEventSet;
import io.verbs4j.tests.support.InThread;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
class EventSetTest {
    private final EventSet set = new EventSet();
    private final WakeUp first = new WakeUp();
    private final WakeUp second = new WakeUp();

    @AfterEach
    void close() {
        set.close();
        set.close();
        first.close();
        second.close();
    }

    private static List<Long> readable(EventSet set) {
        var ids = new ArrayList<Long>();
        set.take(false, ids::add);
        return ids;
    }

    @Test
    void reportsDescriptorsWhileTheyAreReadableAndInTheSet() {
        set.add(first.number(), 1L << 40);
        set.add(second.number(), 2);
        assertThat(readable(set)).isEmpty();
        first.signal();
        second.signal();
        assertThat(readable(set)).containsExactlyInAnyOrder(1L << 40, 2L);
        set.report(first.number(), 1, false);
        assertThat(readable(set)).containsExactly(2L);
        set.report(first.number(), 3, true);
        assertThat(readable(set)).containsExactlyInAnyOrder(3L, 2L);
        first.drain();
        assertThat(readable(set)).containsExactly(2L);
        set.remove(second.number());
        set.remove(second.number());
        assertThat(readable(set)).isEmpty();
    }

    @Test
    void aDescriptorThatIsReadableAlreadyIsReported() {
        first.signal();
        set.add(first.number(), 1);
        assertThat(readable(set)).containsExactly(1L);
    }

    @Test
    void waits() throws Exception {
        set.add(first.number(), 7);
        var begun = new CountDownLatch(1);
        var found = InThread.PLATFORM.start(() -> {
            var ids = new ArrayList<Long>();
            begun.countDown();
            set.take(true, ids::add);
            return ids;
        });
        begun.await();
        Thread.sleep(50);
        assertThat(found.isDone()).isFalse();
        first.signal();
        assertThat(found.result()).containsExactly(7L);
    }

    @Test
    void reportsThatTheKernelRefusesToWait() throws Throwable {
        try (EventSet broken = BrokenEventSet.of(EventSet::new)) {
            for (boolean waits : new boolean[]{true, false}) {
                assertThatThrownBy(() -> broken.take(waits, _ -> {})).isInstanceOfSatisfying(
                        VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
            }
        }
    }

    @Test
    void isReadableThroughTheDescriptorThatItReplaces() {
        try (WakeUp replaced = new WakeUp()) {
            set.replace(replaced.number());
            set.add(first.number(), 1);
            assertThat(PollSet.look(replaced.number())).isZero();
            first.signal();
            assertThat(PollSet.look(replaced.number())).isOne();
        }
    }

    @Test
    void refusesWhatTheKernelRefuses() {
        set.add(first.number(), 1);
        assertThatThrownBy(() -> set.add(first.number(), 1))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EEXIST));
        assertThatThrownBy(() -> set.replace(-1))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
        set.close();
        assertThat(readable(set)).isEmpty();
        assertThatThrownBy(() -> set.add(second.number(), 1))
                .isInstanceOfSatisfying(VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBADF));
    }
}
