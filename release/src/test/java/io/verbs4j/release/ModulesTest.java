// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Requires.Modifier;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Modules, as those see them that require them.
class ModulesTest {
    private static final Path[] JARS = Published.jars()
            .stream()
            .filter(Published::needsTheJdkAlone)
            .filter(published -> !published.artifact().equals("verbs4j-bundle"))
            .map(Published::jar)
            .toArray(Path[]::new);
    private static final ModuleFinder FINDER = ModuleFinder.of(JARS);

    /// `requires static transitive` makes whoever requires the module need that one too, at compile time.
    @Test
    void noModuleForcesACompileTimeModuleOnItsUsers() {
        assertThat(descriptors()).isNotEmpty()
                .allSatisfy(module -> assertThat(module.requires())
                        .as(module.name())
                        .noneMatch(requires -> requires.modifiers()
                                .containsAll(Set.of(Modifier.STATIC, Modifier.TRANSITIVE))));
    }

    /// Says what javac's `exports` lint would say, were it not switched off for the annotations of jspecify.
    @Test
    void whatIsExportedMentionsOnlyWhatItsUsersCanSee() throws Exception {
        List<String> names = descriptors().map(ModuleDescriptor::name).toList();
        ModuleLayer boot = ModuleLayer.boot();
        ModuleLayer layer = ModuleLayer.defineModulesWithOneLoader(
                Configuration.resolve(FINDER, List.of(boot.configuration()), ModuleFinder.ofSystem(), names),
                List.of(boot),
                ClassLoader.getPlatformClassLoader())
                .layer();
        var leaks = new TreeSet<String>();
        int types = 0;
        for (String name : names) {
            Module module = layer.findModule(name).orElseThrow();
            for (Class<?> type : exportedTypes(module)) {
                types++;
                for (Class<?> mentioned : mentioned(type)) {
                    if (!canBeSeen(mentioned, module)) {
                        leaks.add(type.getName() + " mentions " + mentioned.getName());
                    }
                }
            }
        }
        assertThat(types).isGreaterThan(100);
        assertThat(leaks).isEmpty();
    }

    private static List<Class<?>> exportedTypes(Module module) throws Exception {
        var types = new ArrayList<Class<?>>();
        try (ModuleReader reader = FINDER.find(module.getName()).orElseThrow().open()) {
            for (String entry : reader.list().filter(entry -> entry.endsWith(".class")).toList()) {
                String name = entry.substring(0, entry.length() - ".class".length()).replace('/', '.');
                if (name.contains(".")
                        && !name.endsWith("package-info")
                        && module.isExported(name.substring(0, name.lastIndexOf('.')))) {
                    Class<?> type = Class.forName(name, false, module.getClassLoader());
                    if (isVisible(type)) {
                        types.add(type);
                    }
                }
            }
        }
        return types;
    }

    private static boolean isVisible(Class<?> type) {
        Class<?> outer = type.getDeclaringClass();
        return isApi(type.getModifiers()) && (outer == null || isVisible(outer)) && !isAgent(type);
    }

    /// The JDK calls an agent's method; programs that compile against the module do not.
    private static boolean isAgent(Class<?> type) {
        return Stream.of(type.getDeclaredMethods()).anyMatch(method -> method.getName().equals("premain"));
    }

    private static boolean isApi(int modifiers) {
        return (modifiers & (java.lang.reflect.Modifier.PUBLIC | java.lang.reflect.Modifier.PROTECTED)) != 0;
    }

    private static Set<Class<?>> mentioned(Class<?> type) {
        var mentioned = new HashSet<Class<?>>(List.of(type.getInterfaces()));
        if (type.getSuperclass() != null) {
            mentioned.add(type.getSuperclass());
        }
        Stream.<Executable>concat(Stream.of(type.getDeclaredMethods()), Stream.of(type.getDeclaredConstructors()))
                .filter(method -> isApi(method.getModifiers()))
                .forEach(method -> {
                    mentioned.addAll(List.of(method.getParameterTypes()));
                    mentioned.addAll(List.of(method.getExceptionTypes()));
                    if (method instanceof Method declared) {
                        mentioned.add(declared.getReturnType());
                    }
                });
        Stream.of(type.getDeclaredFields())
                .filter(field -> isApi(field.getModifiers()))
                .forEach(field -> mentioned.add(field.getType()));
        return mentioned;
    }

    /// Returns whether someone who requires `from` alone can use a type.
    private static boolean canBeSeen(Class<?> type, Module from) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        Module owner = element.getModule();
        return element.isPrimitive()
                || owner.getName().equals("java.base")
                || owner.isExported(element.getPackageName()) && readable(from).contains(owner.getName())
                || !java.lang.reflect.Modifier.isPublic(element.getModifiers());
    }

    private static Set<String> readable(Module from) {
        var names = new HashSet<String>();
        var open = new ArrayList<>(List.of(from.getDescriptor()));
        while (!open.isEmpty()) {
            ModuleDescriptor module = open.removeLast();
            if (names.add(module.name())) {
                module.requires()
                        .stream()
                        .filter(requires -> requires.modifiers().contains(Modifier.TRANSITIVE))
                        .flatMap(requires -> from.getLayer().findModule(requires.name()).stream())
                        .forEach(found -> open.add(found.getDescriptor()));
            }
        }
        return names;
    }

    private static Stream<ModuleDescriptor> descriptors() {
        return FINDER.findAll().stream().map(reference -> reference.descriptor());
    }
}
