// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NumberedObjectsTest {
    private static final long BIG = 1L << 40;

    private final NumberedObjects<String> objects = new NumberedObjects<>();

    private List<String> all() {
        var all = new ArrayList<String>();
        objects.forEach(all::add);
        return all;
    }

    @Test
    void aRandomSequenceOfCallsHasTheResultsOfAMap() {
        var random = new Random(1);
        var map = new HashMap<Long, String>();
        for (int i = 0; i < 20_000; i++) {
            long number = random.nextInt(100) + (random.nextBoolean() ? BIG : 0); // shares a bucket with another
            String object = "object " + random.nextInt(2);
            if (random.nextBoolean()) {
                objects.put(number, object);
                map.put(number, object);
            } else {
                assertThat(objects.remove(number, object)).isEqualTo(map.remove(number, object));
            }
            assertThat(objects.get(number)).isEqualTo(map.get(number));
            assertThat(objects.size()).isEqualTo(map.size());
        }
        assertThat(all()).containsExactlyInAnyOrderElementsOf(map.values());
        for (long number = 0; number < 100; number++) {
            assertThat(objects.get(number)).isEqualTo(map.get(number));
            assertThat(objects.get(number + BIG)).isEqualTo(map.get(number + BIG));
        }
    }

    @Test
    void theActionMayRemoveTheObject() {
        objects.put(1, "first");
        objects.put(1 + BIG, "second");
        var seen = new ArrayList<String>();
        objects.forEach(object -> {
            seen.add(object);
            objects.remove(1, object);
            objects.remove(1 + BIG, object);
        });
        assertThat(seen).containsExactlyInAnyOrder("first", "second");
        assertThat(objects.size()).isZero();
    }

    @Test
    void anObjectIsFoundWhileOthersComeAndGo() throws Exception {
        objects.put(0, "present");
        var changes = CompletableFuture.runAsync(() -> {
            for (int round = 0; round < 200; round++) {
                for (long number = 1; number < 100; number++) {
                    objects.put(number * 16, "other");
                }
                for (long number = 1; number < 100; number++) {
                    objects.remove(number * 16, "other");
                }
            }
        });
        while (!changes.isDone()) {
            assertThat(objects.get(0)).isEqualTo("present");
        }
        changes.get(20, TimeUnit.SECONDS);
    }

    @Test
    void findingAndRemovingAllocateNothing() throws ReflectiveOperationException {
        int count = 2000;
        for (long number = BIG; number < BIG + count; number++) {
            objects.put(number, "object");
        }
        AllocatedBytes.now(); // loads classes
        long before = AllocatedBytes.now();
        boolean found = true;
        for (long number = BIG; number < BIG + count; number++) {
            found &= objects.get(number) != null && objects.remove(number, "object");
        }
        assertThat(AllocatedBytes.now() - before).as("a box has 16 bytes or more").isLessThan(count);
        assertThat(found).isTrue();
    }
}
