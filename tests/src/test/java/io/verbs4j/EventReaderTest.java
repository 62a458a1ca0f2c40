// SPDX-License-Identifier: Apache-2.0
package io.verbs4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.verbs4j.abi.device.EventFile;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Threads that read events, and a file that lets one of them down.
@Timeout(60)
class EventReaderTest {
    private static final int RECORD = 8;

    private final Queue<Supplier<Integer>> answers = new ArrayDeque<>();
    private final Queue<MemorySegment> delivered = new ArrayDeque<>();
    private final EventFile file = (EventFile) Proxy.newProxyInstance(
            EventFile.class.getClassLoader(), new Class<?>[]{EventFile.class}, (_, method, _) -> {
                assertThat(method.getName()).isEqualTo("take");
                return answers.remove().get();
            });
    private final EventReader reader = new EventReader(file, "read", RECORD, delivered::add);

    private boolean await() throws InterruptedException {
        return reader.await(() -> delivered.poll() != null, System.nanoTime() + TimeUnit.SECONDS.toNanos(20));
    }

    @Test
    void aThreadWhoseReadThrowsLeavesThePlaceToTheNext() throws InterruptedException {
        var failure = new OutOfMemoryError("made up");
        answers.add(() -> {
            throw failure;
        });
        answers.add(() -> RECORD);

        assertThatThrownBy(this::await).isSameAs(failure);
        assertThat(await()).isTrue();
    }
}
