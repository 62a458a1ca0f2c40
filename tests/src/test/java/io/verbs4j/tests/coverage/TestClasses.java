// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.coverage;

import io.verbs4j.tests.support.Covers;
import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.commons.support.ReflectionSupport;

/// The device tests of this module, as they are on the class path.
final class TestClasses {
    private TestClasses() {}

    /// All classes of device tests, nested ones too.
    static List<Class<?>> all() {
        return ReflectionSupport.findAllClassesInPackage("io.verbs4j.tests", type -> true,
                TestClasses::isOfDeviceTests);
    }

    private static boolean isOfDeviceTests(String name) {
        return name.endsWith("IT") || name.contains("IT$");
    }

    /// The functions that tests say they prove, each with the classes and methods that say so.
    static Map<String, List<String>> coveredFunctions() {
        var covered = new LinkedHashMap<String, List<String>>();
        for (Class<?> type : all()) {
            add(covered, type, type.getSimpleName());
            for (var method : type.getDeclaredMethods()) {
                add(covered, method, type.getSimpleName() + "." + method.getName());
            }
        }
        return covered;
    }

    private static void add(Map<String, List<String>> covered, AnnotatedElement element, String name) {
        var covers = element.getAnnotation(Covers.class);
        if (covers != null) {
            Arrays.stream(covers.value())
                    .forEach(function -> covered.computeIfAbsent(function, _ -> new ArrayList<>()).add(name));
        }
    }
}
