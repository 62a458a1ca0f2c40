// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import io.verbs4j.abi.UapiFixture;
import org.junit.jupiter.api.Test;

/// Compares every layout with gcc's result for the kernel's headers.
class StructLayoutsTest {
    @Test
    void fieldsAreThoseOfTheCompiler() {
        RxeStructs.all().forEach(UapiFixture.read()::assertSame);
    }
}
