// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.uapi.CStruct;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.PaddingLayout;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// A C compiler's results for the kernel's headers (tools/abi-oracle, which describes the format).
public final class UapiFixture {
    /// Sizes by struct.
    public final Map<String, Long> sizes = new LinkedHashMap<>();
    /// `OFFSET SIZE` by path, by struct.
    public final Map<String, Map<String, String>> fields = new LinkedHashMap<>();
    /// Values by name.
    public final Map<String, Long> constants = new LinkedHashMap<>();
    /// Constants that the headers do not have.
    public final Set<String> absent = new HashSet<>();

    private UapiFixture() {}

    /// Reads the fixture.
    public static UapiFixture read() {
        var fixture = new UapiFixture();
        try (InputStream resource = UapiFixture.class.getResourceAsStream("/uapi-layouts.txt")) {
            if (resource == null) {
                throw new IllegalStateException(
                        "uapi-layouts.txt is missing: run tools/abi-oracle/generate.sh --update");
            }
            new String(resource.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(fixture::take);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return fixture;
    }

    private void take(String line) {
        String[] words = line.split(" ", -1);
        switch (words[0]) {
            case "#" -> {
                // The headers' version.
            }
            case "struct" -> {
                sizes.put(words[1], Long.parseLong(words[2]));
                fields.put(words[1], new TreeMap<>());
            }
            case "field" -> fieldsOf(words[1]).put(words[2], words[3] + " " + words[4]);
            case "const" -> constants.put(words[1], Long.parseLong(words[2]));
            case "absent" -> absent.add(words[1]);
            default -> throw new IllegalArgumentException("unknown line: " + line);
        }
    }

    /// Compares a struct in both directions: a missing field is as wrong as one at another offset.
    public void assertSame(CStruct struct) {
        assertThat(sizes).containsEntry(struct.name(), (long) struct.size());
        var ours = new TreeMap<String, String>();
        for (CStruct.Field field : struct.fields()) {
            if (!(field.layout() instanceof PaddingLayout)) {
                ours.put(field.path(), field.offset() + " " + field.layout().byteSize());
            }
        }
        assertThat(ours).as(struct.name()).isEqualTo(fieldsOf(struct.name()));
    }

    /// Returns the fields of a struct, ordered by path; empty if there is no struct with that name.
    public Map<String, String> fieldsOf(String struct) {
        return fields.getOrDefault(struct, new TreeMap<>());
    }
}
