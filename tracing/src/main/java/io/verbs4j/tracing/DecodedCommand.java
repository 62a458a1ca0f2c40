// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.command.IoctlCommand;
import io.verbs4j.abi.os.NativeBytes;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.UverbsObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A command that is being decoded. Before the call, its parts are the kernel's input; after the call, also the output.
abstract class DecodedCommand {
    /// Most fields that a line shows.
    private static final int MAX_SHOWN = 12;

    final ObjectNames names;
    final DriverAbi driver;
    final FieldText text;
    final List<TracePart> parts = new ArrayList<>();
    /// The numbers of the request by C field names. The keys of ioctl arguments are the ends of the arguments' names.
    final Map<String, Long> given = new HashMap<>();
    /// The numbers of the answer.
    final Map<String, Long> answered = new HashMap<>();

    /// The texts of the fields in request and answer.
    final Map<String, String> texts = new HashMap<>();
    /// The rings in the answer, by their offsets for `mmap`.
    final Map<Long, String> offers = new HashMap<>();

    final List<String> arguments = new ArrayList<>();
    final List<String> outcome = new ArrayList<>();

    DecodedCommand(ObjectNames names, DriverAbi driver) {
        this.names = names;
        this.driver = driver;
        this.text = new FieldText(names);
    }

    /// Returns the specification of the command; null if it is unknown.
    abstract @Nullable CommandSpecification verb();

    abstract String command();

    abstract String transport();

    /// Decodes the kernel's output.
    abstract void finish(int result);

    /// Returns whether the command only found that no event is pending.
    boolean isIdle(int result) {
        return false;
    }

    /// Decodes a part, and records its numbers.
    TracePart part(
            String title, @Nullable CStruct struct, TracePart.Direction direction, long address, byte[] bytes) {
        PartBuilder builder = builder(title, direction, address, bytes);
        if (struct != null) {
            builder.struct(struct, Map.of());
        }
        TracePart part = add(builder);
        if (struct != null && direction == TracePart.Direction.FROM_KERNEL) {
            noteRings(struct, part);
        }
        return part;
    }

    /// Adds a part, and records its numbers.
    TracePart add(PartBuilder builder) {
        TracePart part = builder.build();
        parts.add(part);
        note(part);
        return part;
    }

    PartBuilder builder(String title, TracePart.Direction direction, long address, byte[] bytes) {
        return new PartBuilder(title, direction, address, bytes, text);
    }

    private void note(TracePart part) {
        boolean answer = part.direction() == TracePart.Direction.FROM_KERNEL;
        List<String> line = answer ? outcome : arguments;
        Map<String, Long> numbers = answer ? answered : given;
        for (TraceField field : part.fields()) {
            numbers.putIfAbsent(field.name(), field.value());
            numbers.put(field.path(), field.value());
            texts.putIfAbsent(field.path(), field.text());
            // A new object is shown by its name.
            boolean shown = !field.name().equals("response") && !(answer && ObjectNames.kindOf(field.name()) != null);
            boolean says = field.value() != 0 || CmFieldText.isNews(part, field);
            if (shown && !field.padding() && says && line.size() < MAX_SHOWN) {
                line.add(field.path() + "=" + field.text());
            }
        }
    }

    /// Members with `offset` and `size` describe a ring.
    private void noteRings(CStruct struct, TracePart part) {
        for (TraceField field : part.fields()) {
            if (!field.name().equals("offset")) {
                continue;
            }
            boolean whole = field.path().equals("offset");
            String owner = whole ? "" : field.path().substring(0, field.path().lastIndexOf('.'));
            offers.put(field.value(), whole ? "resized ring" : struct.field(owner).meaning());
        }
    }

    /// Decodes memory behind the addresses in the driver's request.
    void followPointers() {
        for (TracePart part : List.copyOf(parts)) {
            for (TraceField field : part.fields()) {
                CStruct target = driver.pointers().get(field.path());
                if (target != null && field.value() != 0) {
                    part(
                            "*" + field.path(),
                            target,
                            TracePart.Direction.FROM_KERNEL,
                            field.value(),
                            NativeBytes.copy(field.value(), target.size()));
                }
            }
        }
    }

    /// Returns the meaning of the result if the command only probed for a kernel feature; otherwise an empty text.
    String answer(int result) {
        CommandSpecification verb = verb();
        return IoctlCommand.isMissing(result) && verb != null && verb.encodings().size() > 1
                ? "this kernel lacks the command; an older equivalent follows"
                : "";
    }

    /// Returns the request as data.
    ///
    /// @param question see [TraceSubject.Command#question()]
    TraceSubject.Command subject(boolean question) {
        var objects = new HashMap<String, Long>();
        given.forEach((field, handle) -> {
            UverbsObject kind = ObjectNames.kindOf(field);
            TracedObject known = kind == null ? null : names.find(kind, handle.intValue());
            if (known != null) {
                objects.put(field, known.number());
            }
        });
        return new TraceSubject.Command(given, objects, question);
    }

    /// Returns whether the kernel evaluates `srq_handle`.
    boolean usesSharedReceiveQueue() {
        return !given.containsKey("is_srq") || given("is_srq") != 0;
    }

    long given(String field) {
        return given.getOrDefault(field, 0L);
    }

    /// Returns whether the answer contains a number for a field.
    boolean hasAnswered(String field) {
        return answered.containsKey(field);
    }

    long answered(String field) {
        return answered.getOrDefault(field, 0L);
    }
}
