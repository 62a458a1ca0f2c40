// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.catalogue.IoctlEnvelope;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.command.InvokeWrite;
import io.verbs4j.abi.command.IoctlCommand;
import io.verbs4j.abi.memory.ReregisterMemory;
import io.verbs4j.abi.os.NativeBytes;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsAttr;
import io.verbs4j.abi.uapi.IbUverbsIoctlHdr;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Decodes a command of the ioctl interface: a header, arguments, and their buffers.
final class IoctlDecoder extends DecodedCommand {
    private final MemorySegment memory;
    private final IoctlEnvelope envelope;
    private final @Nullable UverbsMethod method;
    private final @Nullable IbUserVerbsCmd carried;
    private final List<Argument> payloads = new ArrayList<>();

    /// An argument whose input or output is in another buffer.
    private record Argument(UverbsAttribute id, String title, long address, int length) {}

    IoctlDecoder(ObjectNames names, DriverAbi driver, MemorySegment memory) {
        super(names, driver);
        this.memory = memory;
        this.envelope = IoctlEnvelope.of(memory, driver);
        this.method = envelope.method().orElse(null);
        this.carried = carried();
        readArguments();
    }

    private @Nullable IbUserVerbsCmd carried() {
        return method != InvokeWrite.METHOD
                ? null
                : envelope.argument(InvokeWrite.WRITE_CMD)
                        .flatMap(argument -> CommandCatalogue.write((int) argument.data()))
                        .orElse(null);
    }

    private void readArguments() {
        for (IoctlEnvelope.Argument argument : envelope.arguments()) {
            UverbsAttribute id = argument.attribute().orElse(null);
            int length = argument.length();
            long data = argument.data();
            if (id == null) {
                arguments.add("0x" + Integer.toHexString(argument.id()) + "=" + data);
                continue;
            }
            switch (id.kind()) {
                case CONSTANT, FILE, HANDLE -> number(id, data, Long.BYTES);
                case OUT -> payloads.add(new Argument(id, id.name(), data, length));
                case IN -> {
                    if (!argument.isInline()) {
                        read(id, data, NativeBytes.copy(data, length));
                    } else if (struct(id) != null) {
                        read(id, 0, argument.inline().toArray(ValueLayout.JAVA_BYTE));
                    } else {
                        number(id, data, length);
                    }
                }
                case NEW_HANDLE, NEW_FILE -> {}
            }
        }
    }

    private void number(UverbsAttribute id, long value, int size) {
        String name = shortName(id);
        given.put(name, value);
        if (id == InvokeWrite.WRITE_CMD) {
            return;
        }
        arguments.add(name + "=" + text(id, value, size));
    }

    private String text(UverbsAttribute id, long value, int size) {
        if (id.object().isPresent()) {
            return names.name(id.object().get(), (int) value);
        }
        if (id == InvokeWrite.WRITE_CMD) {
            return carried == null ? "?" : carried.cName();
        }
        String field = id.field().orElseGet(() -> switch (id.kind()) {
            case FILE, NEW_FILE -> "fd";
            default -> shortName(id).replaceFirst("^resp_", "");
        });
        return text.number(field, value, size);
    }

    /// Returns an argument's name without that of its method: `pd_handle` for `CREATE_QP_PD_HANDLE`.
    private String shortName(UverbsAttribute id) {
        String name = id.name();
        String prefix = method == null ? "" : method.name();
        if (prefix.endsWith("_CREATE") || prefix.endsWith("_DESTROY")) {
            int split = prefix.lastIndexOf('_');
            prefix = prefix.substring(split + 1) + "_" + prefix.substring(0, split);
        }
        String rest = name.startsWith(prefix + "_") ? name.substring(prefix.length() + 1) : name;
        return rest.toLowerCase(Locale.ROOT);
    }

    /// Returns the struct of an argument, or of its elements; null for a number.
    private @Nullable CStruct struct(UverbsAttribute id) {
        if (id.struct().isPresent()) {
            return id.struct().get();
        }
        if (id == InvokeWrite.CORE_IN) {
            return carried == null ? null : carried.request();
        }
        if (id == InvokeWrite.CORE_OUT) {
            return carried == null ? null : carried.response().orElse(null);
        }
        CommandSpecification verb = verb();
        if (verb == null || id.method().isPresent()) {
            return null;
        }
        return (id == UverbsAttribute.UHW_IN ? driver.request(verb) : driver.response(verb)).orElse(null);
    }

    private void read(UverbsAttribute id, long address, byte[] bytes) {
        CStruct struct = struct(id);
        if (id.isArray() && struct != null) {
            array(id.name(), struct, TracePart.Direction.TO_KERNEL, address, bytes, bytes.length);
        } else {
            part(id.name(), struct, TracePart.Direction.TO_KERNEL, address, bytes);
        }
    }

    @Override
    void finish(int result) {
        explainEnvelope();
        if (result < 0) {
            return;
        }
        for (IoctlEnvelope.Argument argument : envelope.arguments()) {
            argument.attribute()
                    .filter(id -> id.kind() != UverbsAttribute.Kind.OUT && id.kind().isAnswer())
                    .ifPresent(id -> answered.put(shortName(id), argument.data()));
        }
        for (Argument argument : payloads) {
            answer(argument);
        }
        followPointers();
    }

    private void answer(Argument argument) {
        UverbsAttribute id = argument.id();
        byte[] bytes = NativeBytes.copy(argument.address(), argument.length());
        CStruct struct = struct(id);
        if (struct != null) {
            if (id.isArray()) {
                array(
                        argument.title(),
                        struct,
                        TracePart.Direction.FROM_KERNEL,
                        argument.address(),
                        bytes,
                        written(bytes, struct.size()));
            } else {
                part(argument.title(), struct, TracePart.Direction.FROM_KERNEL, argument.address(), bytes);
            }
        } else if ((bytes.length == Integer.BYTES || bytes.length == Long.BYTES)
                && id.method().isPresent()
                && method != InvokeWrite.METHOD) {
                    long value = StructDecoder.number(bytes, 0, bytes.length, false);
                    String name = shortName(id);
                    answered.put(name, value);
                    String shown = text(id, value, bytes.length);
                    outcome.add(name + "=" + shown);
                    parts.add(builder(argument.title(), TracePart.Direction.FROM_KERNEL, argument.address(), bytes)
                            .number(name, shown, bytes.length)
                            .build());
                } else {
                    part(argument.title(), null, TracePart.Direction.FROM_KERNEL, argument.address(), bytes);
                }
    }

    /// Returns the bytes up to the last element that is not zero.
    private static int written(byte[] bytes, int element) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return (end + element - 1) / element * element;
    }

    /// Decodes an array of structs; bytes after `end` are unused.
    private void array(
            String title, CStruct struct, TracePart.Direction direction, long address, byte[] bytes, int end) {
        int count = end / struct.size();
        parts.add(builder(title, direction, address, bytes)
                .array("", struct, count)
                .room("not needed")
                .build());
        (direction == TracePart.Direction.TO_KERNEL ? arguments : outcome).add(count + " × " + struct.name());
    }

    /// Decodes the command itself after the call.
    private void explainEnvelope() {
        byte[] bytes = memory.toArray(ValueLayout.JAVA_BYTE);
        var fields = new ArrayList<TraceField>();
        for (TraceField field : StructDecoder.decode(IbUverbsIoctlHdr.STRUCT, bytes, 0, text, Map.of())) {
            boolean isMethod = field.path().equals("method_id");
            fields.add(isMethod ? field.shown(methodName() + " (" + field.value() + ")") : field);
        }
        int index = 0;
        for (IoctlEnvelope.Argument argument : envelope.arguments()) {
            UverbsAttribute id = argument.attribute().orElse(null);
            String name = id == null ? "attribute " + index : id.name();
            index++;
            for (TraceField field : StructDecoder.decode(IbUverbsAttr.STRUCT, bytes, argument.offset(), text,
                    Map.of())) {
                String shown = field.text();
                if (field.path().equals("attr_id") && id != null) {
                    shown = id.cName() + " (" + shown + ")";
                } else if (field.path().equals("data") && id != null) {
                    shown = data(id, argument);
                }
                fields.add(field.shown(shown).renamed(name + "." + field.path()));
            }
        }
        parts.addFirst(new TracePart(
                "command", "ib_uverbs_ioctl_hdr", TracePart.Direction.BOTH, memory.address(), bytes, fields));
    }

    private String data(UverbsAttribute id, IoctlEnvelope.Argument argument) {
        long data = argument.data();
        boolean pointer = id.kind() == UverbsAttribute.Kind.OUT
                || (id.kind() == UverbsAttribute.Kind.IN && !argument.isInline());
        if (pointer) {
            return "→ " + FieldText.hexadecimal(data, Long.BYTES);
        }
        return struct(id) != null
                ? FieldText.hexadecimal(data, Long.BYTES) + " (the bytes themselves)"
                : text(id, data, Long.BYTES);
    }

    private String methodName() {
        return method == null ? "?" : method.cName();
    }

    /// Recognizes two probes. A write command without a request tests whether the kernel accepts write commands inside
    /// an ioctl (`CommandChannel`). A re-registration of no region tests whether a driver supports re-registration.
    @Override
    String answer(int result) {
        if (carried != null && envelope.argument(InvokeWrite.CORE_IN).isEmpty()) {
            return "probed whether this kernel accepts write commands inside an ioctl: "
                    + (IoctlCommand.isMissing(result)
                            ? "it does not, so they are sent by write()"
                            : "it reported a missing request, so it does");
        }
        if (carried == ReregisterMemory.WRITE
                && given("mr_handle") == Integer.toUnsignedLong(ReregisterMemory.NO_REGION)) {
            return "probed whether this driver re-registers memory: "
                    + (result == -Errno.EOPNOTSUPP ? "it does not" : "it reported a missing region, so it does");
        }
        return super.answer(result);
    }

    @Override
    @Nullable
    CommandSpecification verb() {
        if (carried != null) {
            return CommandCatalogue.of(carried);
        }
        return method == null ? null : CommandCatalogue.of(method).or(() -> driver.command(method)).orElse(null);
    }

    @Override
    String command() {
        if (carried != null) {
            return carried.cName();
        }
        return method != null
                ? method.cName()
                : UverbsObject.of(envelope.objectId()).map(UverbsObject::cName).orElse("?") + " method "
                        + envelope.methodId();
    }

    @Override
    String transport() {
        return carried == null ? "ioctl" : "ioctl (INVOKE_WRITE)";
    }
}
