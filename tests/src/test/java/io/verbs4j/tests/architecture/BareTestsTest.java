// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The lab finds the tests for a guest without devices and rdma-core by their names (`tools/lab.d/guest-tests`).
class BareTestsTest {
    @Test
    void areNamedSo() {
        assertThat(new ClassFileImporter().importPackages("io.verbs4j.tests"))
                .filteredOn(type -> type.isAnnotatedWith(Tag.class)
                        && type.getAnnotationOfType(Tag.class).value().equals("bare"))
                .extracting(JavaClass::getSimpleName)
                .isNotEmpty()
                .allMatch(name -> name.matches("Bare.*IT"));
    }
}
