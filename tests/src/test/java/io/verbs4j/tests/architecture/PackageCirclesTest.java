// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.architecture;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import org.junit.jupiter.api.Test;

/// No two packages need each other, directly or by way of others: each can be read without those above it.
class PackageCirclesTest {
    @Test
    void thereAreNone() {
        slices().matching("io.verbs4j.(**)").should().beFreeOfCycles().check(ModuleDiagramTest.CLASSES);
    }
}
