// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.locks;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.locks.LockRecorder.Edge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/// Checks the locks that [LockAgent] recorded during the device tests on simulated devices. The build runs this after
/// them.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RecordedLocks {
    private List<String[]> lines = List.of();

    @BeforeAll
    void read() throws IOException {
        try (var file = Files.lines(Path.of(System.getProperty("verbs4j.locks")))) {
            lines = file.map(line -> line.split("\t")).toList();
        }
    }

    private List<String[]> of(String kind) {
        return lines.stream().filter(line -> line[0].equals(kind)).toList();
    }

    @Test
    void everyClassWasWatched() {
        assertThat(of("failed")).extracting(line -> line[1]).isEmpty();
    }

    @Test
    void everyLockOfTheTableWasTaken() {
        assertThat(of("taken")).extracting(line -> line[1])
                .containsAll(
                        System.getProperty("verbs4j.locks.real") == null
                                ? LockTable.locksOfObjects()
                                : LockTable.locksOfRealDevices());
    }

    @Test
    void noThreadWaitedAgainstTheOrderOfTheTable() {
        Set<Edge> edges = of("edge").stream()
                .map(line -> new Edge(line[1], line[2]))
                .collect(Collectors.toSet());
        assertThat(edges).hasSizeGreaterThan(50);
        assertThat(LockTable.violations(edges))
                .as(() -> of("edge").stream()
                        .filter(line -> !LockTable.violations(Set.of(new Edge(line[1], line[2]))).isEmpty())
                        .map(line -> line[1] + " -> " + line[2] + " at " + line[3])
                        .collect(Collectors.joining("\n")))
                .isEmpty();
    }
}
