// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// No two packages need each other, directly or by way of others: each can be read without those above it.
class PackageCirclesTest {
    /// The command line's main class lists the commands of all packages, which in turn use classes next to it. Scripts
    /// and manifests contain its name, so it cannot be moved. Its dependencies are ignored.
    private static final String ENTRY = "io.verbs4j.tools.Main";

    /// Values of the simulator's public package that the internal simulated kernel reads. They depend on nothing in
    /// that package, and would be in a lower one if they were not public.
    private static final Set<String> VALUES =
            Set.of("io.verbs4j.simulator.Behaviour", "io.verbs4j.simulator.KernelProfile");

    private static boolean isValue(JavaClass type) {
        return VALUES.contains(type.getName().replaceAll("\\$.*", ""));
    }

    @Test
    void valuesNeedNothingOfTheSimulatedKernel() {
        noClasses()
                .that(describe("are values", PackageCirclesTest::isValue))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.verbs4j.simulator.*..")
                .check(ModuleDiagramTest.CLASSES);
    }

    @Test
    void thereAreNone() {
        assertThat(ModuleDiagramTest.CLASSES.contain(ENTRY)).isTrue();
        slices()
                .matching("io.verbs4j.(**)")
                .should()
                .beFreeOfCycles()
                .ignoreDependency(name(ENTRY), alwaysTrue())
                .ignoreDependency(alwaysTrue(), describe("a value", PackageCirclesTest::isValue))
                .check(ModuleDiagramTest.CLASSES);
    }
}
