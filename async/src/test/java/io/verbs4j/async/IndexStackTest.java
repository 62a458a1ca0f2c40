// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.async;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class IndexStackTest {
    @Test
    void handsEachIndexToOneThreadAtATime() throws InterruptedException {
        int count = 3;
        var stack = new IndexStack(count);
        var holders = new AtomicIntegerArray(count);
        var wrong = new AtomicIntegerArray(1);
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < 4; thread++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 50_000; i++) {
                    int index = stack.pop();
                    if (index != IndexStack.NONE) {
                        if (holders.incrementAndGet(index) != 1) {
                            wrong.incrementAndGet(0);
                        }
                        holders.decrementAndGet(index);
                        stack.push(index);
                    }
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(wrong.get(0)).isZero();
        assertThat(List.of(stack.pop(), stack.pop(), stack.pop())).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(stack.pop()).isEqualTo(IndexStack.NONE);
    }

    @Test
    void closesOnlyIfAllIndicesAreFree() {
        var stack = new IndexStack(3);
        int first = stack.pop();
        int second = stack.pop();
        assertThat(stack.close()).isEqualTo(2);
        stack.push(first);
        assertThat(stack.close()).isEqualTo(1);
        assertThat(stack.isClosed()).isFalse();
        stack.push(second);
        assertThat(stack.close()).isZero();
        assertThat(stack.close()).isZero();
        assertThat(stack.isClosed()).isTrue();
        assertThat(stack.pop()).isEqualTo(IndexStack.NONE);
    }

    @Test
    void isNeverClosedWhileAThreadHasAnIndex() throws InterruptedException {
        var stack = new IndexStack(3);
        var wrong = new AtomicInteger();
        var popped = new CountDownLatch(1000);
        List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < 2; thread++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int index = stack.pop(); index != IndexStack.NONE; index = stack.pop()) {
                    popped.countDown();
                    if (stack.isClosed()) {
                        wrong.incrementAndGet();
                    }
                    stack.push(index);
                }
            }));
        }
        popped.await();
        while (stack.close() > 0) {
            Thread.onSpinWait();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(wrong.get()).isZero();
        assertThat(stack.isClosed()).isTrue();
    }
}
