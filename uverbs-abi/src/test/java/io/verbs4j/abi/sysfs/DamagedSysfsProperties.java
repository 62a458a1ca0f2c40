// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.sysfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.Damage;
import io.verbs4j.abi.discovery.DeviceDirectory;
import io.verbs4j.types.VerbsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/// Any contents of a sysfs attribute are read, omitted, or rejected with `VerbsException`.
class DamagedSysfsProperties {
    private static final String PORT = "sys/class/infiniband/rxe0/ports/1/";
    private static final String NODE = "sys/class/infiniband_verbs/uverbs0/";
    private static final List<String> ATTRIBUTES = List.of(
            NODE + "ibdev", NODE + "dev", NODE + "abi_version", "sys/class/infiniband_verbs/abi_version",
            "sys/class/infiniband/rxe0/node_type", "sys/class/infiniband/rxe0/node_guid", PORT + "gids/0",
            PORT + "gids/odd name", PORT + "gid_attrs/types/0", PORT + "gid_attrs/types/odd name",
            PORT + "gid_attrs/ndevs/0", PORT + "pkeys/0", PORT + "hw_counters/sent", PORT + "hw_counters/lifespan");

    @SuppressWarnings("NullAway.Init") // by the framework
    private static Path root;

    @BeforeContainer
    static void make() throws IOException {
        root = Files.createTempDirectory("sysfs");
        for (String attribute : ATTRIBUTES) {
            Files.createDirectories(root.resolve(attribute).getParent());
        }
    }

    @AfterContainer
    static void remove() throws IOException {
        try (var files = Files.walk(root)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }

    @Provide
    Arbitrary<String> attributes() {
        return Arbitraries.of(ATTRIBUTES);
    }

    @Provide
    Arbitrary<byte[]> contents() {
        return Damage.of(
                bytes("rxe0\n"), bytes("231:192\n"), bytes("2\n"), bytes("1: CA\n"), bytes("0x1234\n"),
                bytes("fe80:0000:0000:0000:1001:38ff:fe7e:2e82\n"), bytes("RoCE v2\n"), bytes("veth0\n"),
                bytes("18446744073709551615\n"), bytes("99999999999999999999999\n"), bytes(""));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Property
    void isReadLeftOutOrRefused(@ForAll("attributes") String attribute, @ForAll("contents") byte[] contents)
            throws IOException {
        Files.write(root.resolve(attribute), contents);
        var port = SysfsPort.of(root.resolve("sys"), "rxe0", 1);
        var gids = SysfsGidTable.of(root.resolve("sys"), "rxe0");
        List<Runnable> readings = List.of(
                () -> DeviceDirectory.below(root).devices(),
                () -> DeviceDirectory.below(root).device("rxe0"),
                port::pkeys,
                port::hardwareCounters,
                gids::entries,
                () -> gids.entry(1, 0));
        for (Runnable reading : readings) {
            try {
                reading.run();
            } catch (VerbsException e) {
                assertThat(e.errno()).isNotZero();
            }
        }
    }
}
