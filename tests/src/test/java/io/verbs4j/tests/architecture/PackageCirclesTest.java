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
    /// The command line's entry lists the commands of all packages, which in turn use what stands beside it. Its name is in scripts and
    /// manifests, so it stays where it is; what it needs does not count.
    private static final String ENTRY = "io.verbs4j.tools.Main";

    /// Values of the simulator's public package, which the simulated kernel behind it reads. They need nothing of it, and would be in
    /// a package below were they not public.
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
