// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.rxe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.FieldInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Reads and writes of the words that the provider shares with the kernel, in the compiled classes. On a processor that
/// does not reorder stores, no run would show a missing release. Therefore this test analyses the code.
class OrderedAccessTest {
    private static final Set<String> EXPECTED = Set.of(
            "CompletionRing.advance vacated loadLoadFence",
            "CompletionRing.begin producer_index getAcquire",
            "CompletionRing.end consumer_index setRelease",
            "IndexedProducerRing.isEmpty consumer_index getAcquire",
            "IndexedProducerRing.isEmpty producer_index getAcquire",
            "IndexedProducerRing.taken consumer_index getAcquire",
            "IndexedProducerRing.reveal producer_index setRelease",
            "RingGeometry.of consumer_index getAcquire",
            "RingGeometry.of index_mask get",
            "RingGeometry.of log2_elem_size get",
            "RingGeometry.of producer_index getAcquire",
            "RingSlots.consumer consumer_index getAcquire",
            "RingSlots.producer producer_index getAcquire",
            "RingSlots.read log2_elem_size getVolatile");

    @Test
    void sharedWordsAreAccessedAsTheMemoryModelSays() throws IOException {
        var found = new TreeSet<String>();
        for (String name : classes()) {
            try (var bytes = RxeQueueBuf.class.getResourceAsStream(name)) {
                assertThat(bytes).as(name).isNotNull();
                for (MethodModel method : ClassFile.of().parse(bytes.readAllBytes()).methods()) {
                    collect(name.replace("class", "") + method.methodName().stringValue(), method, found);
                }
            }
        }
        assertThat(found).isEqualTo(new TreeSet<>(EXPECTED));
    }

    /// Returns the files of all classes of the provider.
    private static List<String> classes() throws IOException {
        try (var files = Files.list(Path.of("target/classes/io/verbs4j/rxe"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".class") && !name.equals("package-info.class"))
                    .toList();
        }
    }

    /// Each access pushes its handle first, and finally calls a method of it.
    private static void collect(String name, MethodModel method, Set<String> found) {
        Deque<FieldInstruction> handles = new ArrayDeque<>();
        method.code().ifPresent(code -> code.forEach(element -> {
            if (element instanceof FieldInstruction field
                    && field.type().stringValue().equals("Ljava/lang/invoke/VarHandle;")) {
                handles.push(field);
            } else if (element instanceof InvokeInstruction call
                    && call.owner().asInternalName().equals("java/lang/invoke/VarHandle")
                    && !call.name().equalsString("withInvokeExactBehavior")) {
                        if (call.opcode() == Opcode.INVOKESTATIC) { // a fence
                            found.add(name + " vacated " + call.name());
                            return;
                        }
                        FieldInstruction handle = handles.pop();
                        if (handle.owner().asInternalName().endsWith("/RxeQueueBuf")) {
                            found.add(name + " " + handle.name().stringValue().toLowerCase(Locale.ROOT) + " "
                                    + call.name().stringValue());
                        }
                    }
        }));
    }

    @Test
    void memoryModelHasARowForEach() throws IOException {
        String page = Files.readString(Path.of("../docs/memory-model.md"));
        for (String access : EXPECTED) {
            String[] words = access.split(" ");
            assertThat(page).contains("| `" + words[0] + "` | `" + words[1] + "`, `" + words[2] + "` |");
        }
    }
}
