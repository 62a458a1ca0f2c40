// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.platform.commons.support.ReflectionSupport;

/// The device tests of this module, as they are on the class path.
public final class TestClasses {
    private TestClasses() {}

    /// All classes of device tests, nested ones too.
    public static List<Class<?>> all() {
        return ReflectionSupport.findAllClassesInPackage("io.verbs4j.tests", type -> true,
                TestClasses::isOfDeviceTests);
    }

    /// All test methods by the names that tables give them: `Class.method`, `Class.Nested.method`.
    public static Map<String, Method> methods() {
        var methods = new LinkedHashMap<String, Method>();
        for (Class<?> type : all()) {
            for (Method method : type.getDeclaredMethods()) {
                methods.put(name(type) + "." + method.getName(), method);
            }
        }
        return methods;
    }

    /// The name of a class of tests without its package.
    public static String name(Class<?> type) {
        return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
    }

    private static boolean isOfDeviceTests(String name) {
        return name.endsWith("IT") || name.contains("IT$");
    }

    /// The functions that tests say they prove, each with the classes and methods that say so.
    public static Map<String, List<String>> coveredFunctions() {
        var covered = new LinkedHashMap<String, List<String>>();
        for (Class<?> type : all()) {
            add(covered, type, name(type));
            for (var method : type.getDeclaredMethods()) {
                add(covered, method, name(type) + "." + method.getName());
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
