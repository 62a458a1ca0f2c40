// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.ConnectedPair;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// No native code but the JDK's and the C library's is in a process that speaks RDMA.
@DeviceTest
@RealKernel("the native libraries of a process that uses a real device")
@Needs.OneKernel
class LoadedLibrariesIT {
    private static final Pattern LIBRARY = Pattern.compile("/.*\\.so(\\.[0-9.]+)?( \\(deleted\\))?$");

    /// The C library, its loader, and what it was split into in former times.
    private static final Set<String> C_LIBRARY = Set.of(
            "libc.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "libm.so.6", "libdl.so.2", "libpthread.so.0",
            "librt.so.1");

    /// Libraries that a distribution's JDK takes from elsewhere, and others contain.
    private static final Pattern OF_THE_JDK = Pattern.compile("lib(stdc\\+\\+|gcc_s|z)\\.so\\.[0-9.]+");

    @Test
    void areTheJdksAndTheCLibrarys() throws IOException {
        try (var pair = ConnectedPair.onTheWire().withChannels().connect()) {
            pair.right().receiveNothing(1);
            pair.left().send(1, 0, 0);
            pair.left().completions().nextSuccess();

            Path jdk = Path.of(System.getProperty("java.home")).toRealPath();
            Set<String> libraries = libraries();
            assertThat(libraries).anyMatch(library -> library.endsWith("/libjvm.so"));
            assertThat(libraries)
                    .allMatch(library -> Path.of(library).startsWith(jdk)
                            || C_LIBRARY.contains(nameOf(library))
                            || OF_THE_JDK.matcher(nameOf(library)).matches())
                    .noneMatch(library -> library.contains("ibverbs")
                            || library.contains("rdmacm")
                            || library.contains("librxe"));
        }
    }

    private static String nameOf(String library) {
        return Path.of(library).getFileName().toString();
    }

    private static Set<String> libraries() throws IOException {
        var libraries = new TreeSet<String>();
        try (var maps = Files.lines(Path.of("/proc/self/maps"))) {
            maps.forEach(line -> {
                var library = LIBRARY.matcher(line);
                if (library.find()) {
                    libraries.add(library.group());
                }
            });
        }
        return libraries;
    }
}
