// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.platform.commons.annotation.Testable;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/// Prints the needs of each device test, for the lab's summary of left-out tests: `Class.method` and its tags,
/// separated by spaces.
final class TestNeeds {
    private TestNeeds() {}

    static void main() {
        for (Class<?> type : TestClasses.all()) {
            if (!Modifier.isAbstract(type.getModifiers())) {
                AnnotationSupport.findAnnotatedMethods(type, Testable.class, HierarchyTraversalMode.TOP_DOWN)
                        .forEach(method -> print(type, method));
            }
        }
    }

    private static void print(Class<?> type, Method method) {
        Set<String> tags = new LinkedHashSet<>();
        AnnotationSupport.findRepeatableAnnotations(method, Tag.class).forEach(tag -> tags.add(tag.value()));
        for (Class<?> each = type; each != null; each = each.getEnclosingClass()) {
            AnnotationSupport.findRepeatableAnnotations(each, Tag.class).forEach(tag -> tags.add(tag.value()));
        }
        System.out.println(TestClasses.name(type) + "." + method.getName() + " " + String.join(" ", tags));
    }
}
