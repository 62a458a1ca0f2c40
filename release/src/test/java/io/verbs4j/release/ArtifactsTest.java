// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests what Maven Central demands of project files, and what a user expects of jars.
class ArtifactsTest {
    private static final List<String> INHERITED = List.of("url", "licenses", "developers", "scm");
    /// Entries of a manifest that depend on the machine that built it.
    private static final List<String> OF_THE_BUILDER =
            List.of("Build-Jdk-Spec", "Built-By", "Created-By", "Build-Tool");
    private static final Published PARENT = Published.all().getFirst();

    static Stream<Published> all() {
        return Published.all().stream();
    }

    static Stream<Published> jars() {
        return Published.jars().stream();
    }

    @ParameterizedTest
    @MethodSource("all")
    void projectFileSaysWhatCentralDemands(Published published) {
        assertThat(published.text("name")).as("name").isNotEmpty();
        assertThat(published.text("description")).as("description").isNotEmpty();
        for (String element : INHERITED) {
            assertThat(published.text("parent").isEmpty() ? published.text(element) : PARENT.text(element))
                    .as(element)
                    .isNotEmpty();
        }
        assertThat(published.version()).isEqualTo(PARENT.version());
    }

    @ParameterizedTest
    @MethodSource("jars")
    void jarHoldsTheLicense(Published published) throws IOException {
        try (var jar = new JarFile(published.jar().toFile())) {
            var license = jar.getEntry("META-INF/LICENSE");
            assertThat(license).as("META-INF/LICENSE").isNotNull();
            try (var text = jar.getInputStream(license)) {
                assertThat(text.readAllBytes()).isEqualTo(Files.readAllBytes(Published.ROOT.resolve("LICENSE")));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("jars")
    void manifestDoesNotNameTheBuildersMachine(Published published) throws IOException {
        try (var jar = new JarFile(published.jar().toFile())) {
            assertThat(jar.getManifest().getMainAttributes().keySet())
                    .extracting(Object::toString)
                    .noneMatch(name -> OF_THE_BUILDER.stream().anyMatch(name::startsWith));
        }
    }

    @Test
    void billOfMaterialsNamesAllJars() {
        assertThat(one("bom").named("dependencyManagement", "dependencies"))
                .as("bom/pom.xml")
                .containsExactlyElementsOf(new TreeSet<>(
                        Published.jars().stream().map(Published::artifact).toList()));
    }

    @Test
    void billOfMaterialsRepeatsWhatTheParentSays() {
        for (String element : INHERITED) {
            assertThat(one("bom").text(element)).as(element).isEqualTo(PARENT.text(element));
        }
    }

    /// Whoever has the one jar has the API and every driver, and nothing that a module has lost since.
    @Test
    void bundleHoldsTheApiAndAllProviders() throws IOException {
        var contents = new TreeSet<String>();
        addWithDependencies(one("bundle"), contents);
        assertThat(contents).contains("verbs4j")
                .containsAll(
                        Published.jars()
                                .stream()
                                .map(Published::artifact)
                                .filter(name -> name.startsWith("verbs4j-provider-"))
                                .toList());

        var expected = new TreeSet<String>();
        for (Published published : Published.jars()) {
            if (contents.contains(published.artifact())) {
                expected.addAll(classes(published.jar()));
            }
        }
        assertThat(classes(one("bundle").jar())).isEqualTo(expected);
    }

    private static void addWithDependencies(Published published, Set<String> names) {
        for (String name : published.named("dependencies")) {
            if (names.add(name)) {
                Published.jars()
                        .stream()
                        .filter(other -> other.artifact().equals(name))
                        .forEach(other -> addWithDependencies(other, names));
            }
        }
    }

    private static Set<String> classes(Path jar) throws IOException {
        var names = new TreeSet<String>();
        try (var file = new JarFile(jar.toFile())) {
            file.stream()
                    .map(entry -> entry.getName())
                    .filter(name -> name.endsWith(".class") && !name.equals("module-info.class"))
                    .forEach(names::add);
        }
        return names;
    }

    private static Published one(String folder) {
        return Published.all()
                .stream()
                .filter(published -> published.folder().endsWith(folder))
                .findFirst()
                .orElseThrow();
    }
}
