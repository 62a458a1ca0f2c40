// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(10)
class AlarmTest {
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(5);
    private static final long LATE = TimeUnit.MINUTES.toNanos(1);

    private final LinkedBlockingQueue<Long> rings = new LinkedBlockingQueue<>();
    private long again = -1;
    private final Alarm alarm = new Alarm(() -> {
        rings.add(System.nanoTime());
        long next = again;
        again = -1;
        return next;
    });

    @Test
    void ringsOnceAndNotEarlier() throws InterruptedException {
        long time = System.nanoTime() + SOON;
        alarm.by(time);
        assertThat(rings.take() - time).isNotNegative();
        assertThat(rings.poll(20, TimeUnit.MILLISECONDS)).isNull();
        alarm.by(System.nanoTime() + SOON);
        assertThat(rings.take()).isNotNull();
    }

    /// A time in the past rings at once; an earlier time replaces a later one, but not the reverse.
    @ParameterizedTest
    @ValueSource(longs = {-1, 5_000_000})
    void anEarlierTimeCounts(long nanos) throws InterruptedException {
        alarm.by(System.nanoTime() + LATE);
        alarm.by(System.nanoTime() + nanos);
        alarm.by(System.nanoTime() + LATE);
        assertThat(rings.take()).isNotNull();
        assertThat(rings.poll(20, TimeUnit.MILLISECONDS)).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 5_000_000})
    void itsActionMaySetItAgain(long nanos) throws InterruptedException {
        again = nanos;
        alarm.by(System.nanoTime());
        long first = rings.take();
        assertThat(rings.take() - first).isGreaterThanOrEqualTo(nanos);
        assertThat(rings.poll(20, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void doesNotRingAfterItsEnd() throws InterruptedException {
        alarm.by(System.nanoTime() + 10 * SOON);
        alarm.close();
        assertThat(rings.poll(80, TimeUnit.MILLISECONDS)).isNull();
        alarm.by(System.nanoTime() + SOON);
        assertThat(rings.take()).isNotNull();
    }

    /// Its lock is free after each call: another thread can set and end it.
    @Test
    void anyThreadMaySetIt() throws InterruptedException {
        alarm.by(System.nanoTime() + LATE);
        alarm.by(System.nanoTime() + LATE);
        Thread.ofPlatform().start(() -> alarm.by(System.nanoTime() + SOON)).join();
        assertThat(rings.take()).isNotNull();
        alarm.close();
        Thread.ofPlatform().start(alarm::close).join();
    }
}
