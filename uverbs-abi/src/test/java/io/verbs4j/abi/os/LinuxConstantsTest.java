// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.UapiFixture;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import org.junit.jupiter.api.Test;

class LinuxConstantsTest {
    @Test
    void theyAreThoseOfTheHeaders() throws IllegalAccessException {
        UapiFixture fixture = UapiFixture.read();
        for (Field field : LinuxConstants.class.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers()) && !Modifier.isPrivate(field.getModifiers())) {
                long value = Integer.toUnsignedLong(field.getInt(null));
                assertThat(fixture.constants).containsEntry(field.getName(), value);
            }
        }
    }
}
