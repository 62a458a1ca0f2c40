// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.memory.RegisterMemory;
import io.verbs4j.abi.memory.ReregisterMemory;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Tests for which rights an `EFAULT` is explained by memory of this process that is mapped read-only.
class RegistrationDiagnosisTest {
    private static final CommandSpecification REGISTRATION = RegisterMemory.SPECIFICATION;
    private static final CommandSpecification CHANGE = ReregisterMemory.SPECIFICATION;

    private final ObjectNames names = new ObjectNames("no-such-device");
    private final String range;

    RegistrationDiagnosisTest() throws IOException {
        String mapping = Files.readAllLines(Path.of("/proc/self/maps"))
                .stream()
                .filter(line -> line.contains(" r--p "))
                .findFirst()
                .orElseThrow();
        range = "length=1 start=0x" + mapping.substring(0, mapping.indexOf('-'));
        names.add(UverbsObject.MR, 3, 3, List.of(), Map.of("access_flags", 1L));
        names.add(UverbsObject.MR, 4, 4, List.of(), Map.of("access_flags", 4L));
    }

    private void assertNeedsWriteAccess(boolean needed, CommandSpecification command, String fields) {
        var request = new RefusedRequest(names, command, range + " " + fields);
        String mistake = new Diagnosis(command, Errno.EFAULT, request).find();
        assertThat(mistake.contains("is mapped read-only"))
                .as("%s(%s): %s", command.operation(), fields, mistake)
                .isEqualTo(needed);
    }

    @Test
    void rightsToWriteAndToBindWindowsNeedWriteAccess() {
        for (int right : new int[]{1, 2, 8, 16}) {
            assertNeedsWriteAccess(true, REGISTRATION, "access_flags=" + right);
            assertNeedsWriteAccess(true, CHANGE, "mr_handle=4 flags=5 access_flags=" + right);
        }
        for (String right : List.of("0", "4", "0x20", "0x40", "0x100000")) {
            assertNeedsWriteAccess(false, REGISTRATION, "access_flags=" + right);
            assertNeedsWriteAccess(false, CHANGE, "mr_handle=3 flags=5 access_flags=" + right);
        }
    }

    @Test
    void aRegionWhoseRightsDoNotChangeKeepsItsRights() {
        assertNeedsWriteAccess(true, CHANGE, "mr_handle=3 flags=1 access_flags=4");
        assertNeedsWriteAccess(false, CHANGE, "mr_handle=4 flags=1 access_flags=1");
        assertNeedsWriteAccess(false, CHANGE, "mr_handle=5 flags=1 access_flags=1");
    }
}
