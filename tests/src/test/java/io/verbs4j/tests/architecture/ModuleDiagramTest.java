// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noCodeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The module diagram of the architecture: arrows point down only, and what is restricted stays at the bottom.
class ModuleDiagramTest {
    private static final String TYPES = "io.verbs4j.types";
    private static final String ABI = "io.verbs4j.abi..";
    private static final String SYSTEM_CALLS = "io.verbs4j.abi.os";
    private static final String SPI = "io.verbs4j.spi..";
    private static final String PROVIDER = "io.verbs4j.rxe..";
    private static final String MLX5 = "io.verbs4j.mlx5";
    private static final String SIW = "io.verbs4j.siw";
    private static final String API = "io.verbs4j";
    private static final String CM = "io.verbs4j.cm..";
    private static final String ASYNC = "io.verbs4j.async";
    private static final String VALKEY = "io.verbs4j.valkey";
    private static final String DISNI = "io.verbs4j.disni";
    private static final String EXAMPLES = "io.verbs4j.examples..";
    private static final String MANAGEMENT = "io.verbs4j.management";
    /// The one place that may touch `java.management`.
    private static final String JMX = "io.verbs4j.jmx";
    /// The one place that may touch `jdk.jfr`.
    private static final String JFR = "io.verbs4j.abi.jfr";
    private static final String ROCE = "io.verbs4j.roce";
    private static final String SOCKETS = "io.verbs4j.sockets";
    private static final String SIMULATOR = "io.verbs4j.simulator";
    private static final String INSIDE_SIMULATOR = "io.verbs4j.simulator.[engine|kernel|profile|rxe]..";
    private static final String SIMULATOR_JUNIT = "io.verbs4j.simulator.junit";
    private static final String TOOLS = "io.verbs4j.tools..";
    private static final String[] CORE = {
            TYPES, ABI, ROCE, SPI, PROVIDER, MLX5, SIW, API, MANAGEMENT, JMX, CM, ASYNC, VALKEY, SIMULATOR,
            INSIDE_SIMULATOR
    };

    /// All classes but those of tests.
    static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/") && !location.contains("-tests.jar"))
            .importPackages("io.verbs4j");

    /// Methods that need native access to be enabled for the caller's module.
    private static final Set<String> RESTRICTED = Set.of(
            "java.lang.foreign.MemorySegment.reinterpret",
            "java.lang.foreign.Linker.downcallHandle",
            "java.lang.foreign.Linker.upcallStub",
            "java.lang.foreign.SymbolLookup.libraryLookup",
            "java.lang.foreign.AddressLayout.withTargetLayout",
            "java.lang.ModuleLayer$Controller.enableNativeAccess",
            "java.lang.System.load",
            "java.lang.System.loadLibrary",
            "java.lang.Runtime.load",
            "java.lang.Runtime.loadLibrary");

    @Test
    void hasAllItsModules() {
        for (String name : List.of(
                "io.verbs4j.Devices",
                "io.verbs4j.types.Errno",
                "io.verbs4j.abi.device.DeviceFile",
                "io.verbs4j.abi.os.LinuxDeviceFile",
                "io.verbs4j.spi.ProviderFactory",
                "io.verbs4j.rxe.RxeProviderFactory",
                "io.verbs4j.mlx5.Mlx5ProviderFactory",
                "io.verbs4j.siw.SiwProviderFactory",
                "io.verbs4j.roce.RoceV2Packet",
                "io.verbs4j.cm.RdmaConnection",
                "io.verbs4j.async.Dispatcher",
                "io.verbs4j.valkey.ValkeyConnection",
                "io.verbs4j.disni.Calls",
                "io.verbs4j.simulator.SimulatedNetwork",
                "io.verbs4j.sockets.RdmaSelectorProvider",
                "io.verbs4j.tools.Main")) {
            assertThat(CLASSES.contain(name)).as(name).isTrue();
        }
    }

    @Test
    void hasNoArrowUpwards() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("types")
                .definedBy(TYPES)
                .layer("uverbs-abi")
                .definedBy(ABI)
                .layer("roce")
                .definedBy(ROCE)
                .layer("provider-api")
                .definedBy(SPI)
                .layer("provider-rxe")
                .definedBy(PROVIDER)
                .layer("provider-mlx5")
                .definedBy(MLX5)
                .layer("provider-siw")
                .definedBy(SIW)
                .layer("verbs")
                .definedBy(API, MANAGEMENT, JMX)
                .layer("rdma-cm")
                .definedBy(CM)
                .layer("async")
                .definedBy(ASYNC)
                .layer("sockets")
                .definedBy(SOCKETS)
                .layer("valkey")
                .definedBy(VALKEY)
                .layer("disni")
                .definedBy(DISNI)
                .layer("examples")
                .definedBy(EXAMPLES)
                .layer("simulator")
                .definedBy(SIMULATOR, INSIDE_SIMULATOR)
                .layer("simulator-junit")
                .definedBy(SIMULATOR_JUNIT)
                .layer("tools")
                .definedBy(TOOLS)
                .whereLayer("types")
                .mayNotAccessAnyLayer()
                .whereLayer("uverbs-abi")
                .mayOnlyAccessLayers("types")
                .whereLayer("roce")
                .mayOnlyAccessLayers("types")
                .whereLayer("provider-api")
                .mayOnlyAccessLayers("types", "uverbs-abi")
                .whereLayer("provider-rxe")
                .mayOnlyAccessLayers("types", "uverbs-abi", "provider-api")
                .whereLayer("provider-mlx5")
                .mayOnlyAccessLayers("types", "uverbs-abi", "provider-api")
                .whereLayer("provider-siw")
                .mayOnlyAccessLayers("types", "uverbs-abi", "provider-api")
                .whereLayer("verbs")
                .mayOnlyAccessLayers("types", "uverbs-abi", "provider-api")
                .whereLayer("rdma-cm")
                .mayOnlyAccessLayers("types", "uverbs-abi", "verbs")
                .whereLayer("async")
                .mayOnlyAccessLayers("types", "verbs")
                .whereLayer("sockets")
                .mayOnlyAccessLayers("types", "uverbs-abi", "verbs", "rdma-cm")
                .whereLayer("sockets")
                .mayOnlyBeAccessedByLayers("tools")
                .whereLayer("valkey")
                .mayOnlyAccessLayers("types", "verbs", "rdma-cm")
                .whereLayer("valkey")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("disni")
                .mayOnlyAccessLayers("types", "uverbs-abi", "verbs", "rdma-cm")
                .whereLayer("disni")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("examples")
                .mayOnlyAccessLayers("types", "verbs", "rdma-cm", "async")
                .whereLayer("simulator")
                .mayOnlyAccessLayers("types", "uverbs-abi", "roce", "provider-rxe")
                .whereLayer("simulator")
                .mayOnlyBeAccessedByLayers("simulator-junit")
                .whereLayer("simulator-junit")
                .mayOnlyAccessLayers("types", "uverbs-abi", "verbs", "simulator")
                .whereLayer("simulator-junit")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("tools")
                .mayNotBeAccessedByAnyLayer()
                .check(CLASSES);
    }

    @Test
    void needsNothingButTheBaseModule() {
        noClasses()
                .that()
                .resideInAnyPackage(CORE)
                .and()
                .resideOutsideOfPackages(JMX, JFR)
                .should()
                .dependOnClassesThat(describe(
                        "are neither ours, nor of java.base, nor annotations for the compiler",
                        ModuleDiagramTest::isForeign))
                .check(CLASSES);
    }

    /// Programs whose virtual machine lacks the module must not load a class that wants it.
    @Test
    void touchesManagementInOnePackageOnly() {
        noClasses()
                .that()
                .resideInAnyPackage(CORE)
                .and()
                .resideOutsideOfPackage(JMX)
                .should()
                .dependOnClassesThat(describe("are of java.management", ModuleDiagramTest::isManagement))
                .check(CLASSES);
    }

    private static boolean isForeign(JavaClass type) {
        JavaClass element = type.getBaseComponentType();
        if (element.isPrimitive()
                || element.getPackageName().startsWith("io.verbs4j")
                || element.getPackageName().equals("org.jspecify.annotations")) {
            return false;
        }
        return !"java.base".equals(element.reflect().getModule().getName());
    }

    private static boolean isManagement(JavaClass type) {
        JavaClass element = type.getBaseComponentType();
        return element.getPackageName().startsWith("javax.management")
                || element.getPackageName().equals("java.lang.management");
    }

    /// A trace listens: what it traces does not know of it, and it needs nothing above the provider interface.
    @Test
    void hidesTracesFromWhatIsTraced() {
        String tracing = "io.verbs4j.tracing";
        assertThat(CLASSES.contain(tracing + ".Tracing")).isTrue();
        noClasses()
                .that()
                .resideInAnyPackage(CORE)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(tracing)
                .check(CLASSES);
        noClasses()
                .that()
                .resideInAPackage(tracing)
                .should()
                .dependOnClassesThat(describe(
                        "are neither of types, uverbs-abi or provider-api, nor of java.base",
                        type -> isForeign(type)
                                || resideInAnyPackage(API, PROVIDER, CM, MANAGEMENT, JMX, TOOLS).test(type)))
                .check(CLASSES);
    }

    @Test
    void callsRestrictedMethodsInOnePackageOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackage(SYSTEM_CALLS)
                .should()
                .callCodeUnitWhere(describe("is restricted", ModuleDiagramTest::isRestricted))
                .check(CLASSES);
    }

    private static boolean isRestricted(JavaCall<?> call) {
        return RESTRICTED.contains(call.getTargetOwner().getFullName() + "." + call.getTarget().getName());
    }

    @Test
    void knowsTheKernelsNumbersBelowTheApiOnly() {
        DescribedPredicate<JavaClass> internal =
                resideInAnyPackage(ABI, SPI).and(resideOutsideOfPackage("io.verbs4j.abi.host"));
        noCodeUnits()
                .that(describe("users see", ModuleDiagramTest::isVisible))
                .should()
                .haveRawReturnType(internal)
                .orShould()
                .haveRawParameterTypes(DescribedPredicate.anyElementThat(internal))
                .check(CLASSES);
        noFields()
                .that()
                .areDeclaredInClassesThat()
                .resideInAPackage(API)
                .and()
                .arePublic()
                .should()
                .haveRawType(internal)
                .check(CLASSES);
    }

    private static boolean isVisible(JavaCodeUnit unit) {
        JavaClass owner = unit.getOwner();
        return owner.getPackageName().equals(API)
                && Stream.iterate(owner, type -> type.getEnclosingClass().orElse(null))
                        .takeWhile(type -> type != null)
                        .allMatch(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                && (unit.getModifiers().contains(JavaModifier.PUBLIC)
                        || unit.getModifiers().contains(JavaModifier.PROTECTED));
    }
}
