// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.uapi.CStruct;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Compares every layout with gcc's result for the kernel's headers.
class StructLayoutsTest {
    /// Written by a C program from the headers; lines are `struct NAME SIZE` and `field STRUCT PATH OFFSET SIZE`.
    private static final Path FIXTURE = Path.of("../uverbs-abi/src/test/resources/uapi-layouts.txt");

    @Test
    void sizesAreThoseOfTheCompiler() throws IOException {
        Map<String, String> sizes = facts("struct", 2);
        for (CStruct struct : RxeStructs.all()) {
            assertThat(sizes).containsEntry(struct.name(), Integer.toString(struct.size()));
        }
    }

    /// In both directions: a missing field is as wrong as one at another offset.
    @Test
    void fieldsAreThoseOfTheCompiler() throws IOException {
        Map<String, String> compiler = facts("field", 3);
        for (CStruct struct : RxeStructs.all()) {
            Map<String, String> theirs = new TreeMap<>(compiler);
            theirs.keySet().removeIf(field -> !field.startsWith(struct.name() + " "));
            assertThat(fields(struct)).isEqualTo(theirs);
        }
    }

    /// Returns the lines that start with a word, as a map from the first words after it to the rest.
    private static Map<String, String> facts(String word, int keyWords) throws IOException {
        return Files.readAllLines(FIXTURE)
                .stream()
                .map(line -> line.split(" "))
                .filter(words -> words[0].equals(word))
                .collect(Collectors.toMap(
                        words -> String.join(" ", Arrays.copyOfRange(words, 1, keyWords)),
                        words -> String.join(" ", Arrays.copyOfRange(words, keyWords, words.length))));
    }

    private static Map<String, String> fields(CStruct struct) {
        var fields = new TreeMap<String, String>();
        for (CStruct.Field field : struct.fields()) {
            fields.put(struct.name() + " " + field.path(), field.offset() + " " + field.layout().byteSize());
        }
        return fields;
    }
}
