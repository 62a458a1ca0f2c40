// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tracing;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.os.NativeBytes;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsAttr;
import io.verbs4j.abi.uapi.IbUverbsIoctlHdr;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.abi.uapi.UverbsObject;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A command of the ioctl interface: a head, arguments, and what they point at.
final class IoctlDecoder extends DecodedCommand {
    private static final int HEAD = IbUverbsIoctlHdr.STRUCT.size();
    private static final int ATTRIBUTE = IbUverbsAttr.STRUCT.size();

    private final MemorySegment memory;
    private final @Nullable UverbsMethod method;
    private final @Nullable IbUserVerbsCmd carried;
    private final List<Argument> payloads = new ArrayList<>();

    /// An argument whose payload or room lies elsewhere.
    private record Argument(@Nullable UverbsAttribute id, String title, long address, int length) {}

    IoctlDecoder(ObjectNames names, DriverAbi driver, MemorySegment memory) {
        super(names, driver);
        this.memory = memory;
        CView head = IbUverbsIoctlHdr.STRUCT.view(memory);
        this.method = UverbsMethod.of(head.getInt("object_id"), head.getInt("method_id")).orElse(null);
        this.carried = carried();
        readArguments();
    }

    private int count() {
        return IbUverbsIoctlHdr.STRUCT.view(memory).getInt("num_attrs");
    }

    private CView attribute(int index) {
        return IbUverbsAttr.STRUCT.view(memory.asSlice(HEAD + index * (long) ATTRIBUTE, ATTRIBUTE));
    }

    private @Nullable UverbsAttribute id(CView attribute) {
        return method == null ? null : UverbsAttribute.of(method, attribute.getInt("attr_id")).orElse(null);
    }

    private @Nullable IbUserVerbsCmd carried() {
        if (method != UverbsMethod.INVOKE_WRITE) {
            return null;
        }
        for (int i = 0; i < count(); i++) {
            if (id(attribute(i)) == UverbsAttribute.WRITE_CMD) {
                return IbUserVerbsCmd.of(attribute(i).getInt("data")).orElse(null);
            }
        }
        return null;
    }

    private void readArguments() {
        for (int i = 0; i < count(); i++) {
            CView attribute = attribute(i);
            UverbsAttribute id = id(attribute);
            int length = attribute.getInt("len");
            long data = attribute.get("data");
            if (id == null) {
                arguments.add("0x" + Integer.toHexString(attribute.getInt("attr_id")) + "=" + data);
                continue;
            }
            switch (id.kind()) {
                case CONSTANT, FILE, HANDLE -> number(id, data, Long.BYTES);
                case OUT -> payloads.add(new Argument(id, id.name(), data, length));
                case IN -> {
                    if (length > Long.BYTES) {
                        read(id, data, NativeBytes.copy(data, length));
                    } else if (struct(id) != null) {
                        byte[] bytes = attribute.slice("data").toArray(ValueLayout.JAVA_BYTE);
                        read(id, 0, Arrays.copyOf(bytes, length));
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
        if (id == UverbsAttribute.WRITE_CMD) {
            return;
        }
        arguments.add(name + "=" + text(id, value, size));
    }

    private String text(UverbsAttribute id, long value, int size) {
        if (id.object().isPresent()) {
            return names.name(id.object().get(), (int) value);
        }
        return switch (id) {
            case WRITE_CMD -> carried == null ? "?" : carried.cName();
            case CREATE_QP_TYPE -> text.number("qp_type", value, size);
            default ->
                text.number(
                        switch (id.kind()) {
                            case FILE, NEW_FILE -> "fd";
                            default -> shortName(id).replaceFirst("^resp_", "");
                        },
                        value,
                        size);
        };
    }

    /// Its name without that of its method: `pd_handle` for `CREATE_QP_PD_HANDLE`.
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

    /// The struct that an argument is, or of which it is an array; null of a number.
    private @Nullable CStruct struct(UverbsAttribute id) {
        CommandSpecification verb = verb();
        return switch (id) {
            case CORE_IN -> carried == null ? null : CommandCatalogue.write(carried).request();
            case CORE_OUT -> carried == null ? null : CommandCatalogue.write(carried).response().orElse(null);
            case UHW_IN -> verb == null ? null : driver.request(verb).orElse(null);
            case UHW_OUT -> verb == null ? null : driver.response(verb).orElse(null);
            default -> verb == null ? null : verb.argument(id).orElse(null);
        };
    }

    private void read(UverbsAttribute id, long address, byte[] bytes) {
        CStruct struct = struct(id);
        if (id == UverbsAttribute.ADVISE_MR_SGE_LIST && struct != null) {
            array(id.name(), struct, TracePart.Direction.TO_KERNEL, address, bytes, bytes.length);
        } else {
            part(id.name(), struct, TracePart.Direction.TO_KERNEL, address, bytes);
        }
    }

    @Override
    void finish(int result) {
        envelope();
        if (result < 0) {
            return;
        }
        for (int i = 0; i < count(); i++) {
            UverbsAttribute id = id(attribute(i));
            if (id != null && (id.kind() == UverbsAttribute.Kind.NEW_HANDLE
                    || id.kind() == UverbsAttribute.Kind.NEW_FILE)) {
                answered.put(shortName(id), attribute(i).get("data"));
            }
        }
        for (Argument argument : payloads) {
            answer(argument);
        }
        followPointers();
    }

    private void answer(Argument argument) {
        UverbsAttribute id = argument.id();
        byte[] bytes = NativeBytes.copy(argument.address(), argument.length());
        CStruct struct = id == null ? null : struct(id);
        if (struct != null) {
            if (id == UverbsAttribute.QUERY_GID_TABLE_RESP_ENTRIES) {
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
        } else if (id != null && (bytes.length == Integer.BYTES || bytes.length == Long.BYTES)
                && id.method().isPresent()
                && method != UverbsMethod.INVOKE_WRITE) {
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

    /// Bytes up to the last element that is not all zero.
    private static int written(byte[] bytes, int element) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        return (end + element - 1) / element * element;
    }

    /// An array of structs; what lies behind `end` is room that was not needed.
    private void array(
            String title, CStruct struct, TracePart.Direction direction, long address, byte[] bytes, int end) {
        int count = end / struct.size();
        parts.add(builder(title, direction, address, bytes)
                .array("", struct, count)
                .room("not needed")
                .build());
        (direction == TracePart.Direction.TO_KERNEL ? arguments : outcome).add(count + " × " + struct.name());
    }

    /// The command itself, as it is after the call.
    private void envelope() {
        byte[] bytes = memory.toArray(ValueLayout.JAVA_BYTE);
        var fields = new ArrayList<TraceField>();
        for (TraceField field : StructDecoder.decode(IbUverbsIoctlHdr.STRUCT, bytes, 0, text, Map.of())) {
            boolean isMethod = field.path().equals("method_id");
            fields.add(isMethod ? field.shown(methodName() + " (" + field.value() + ")") : field);
        }
        for (int i = 0; i < count(); i++) {
            CView attribute = attribute(i);
            UverbsAttribute id = id(attribute);
            String name = id == null ? "attribute " + i : id.name();
            for (TraceField field : StructDecoder.decode(IbUverbsAttr.STRUCT, bytes, HEAD + i * ATTRIBUTE, text,
                    Map.of())) {
                String shown = field.text();
                if (field.path().equals("attr_id") && id != null) {
                    shown = id.cName() + " (" + shown + ")";
                } else if (field.path().equals("data") && id != null) {
                    shown = data(id, attribute);
                }
                fields.add(field.shown(shown).renamed(name + "." + field.path()));
            }
        }
        parts.addFirst(new TracePart(
                "command", "ib_uverbs_ioctl_hdr", TracePart.Direction.BOTH, memory.address(), bytes, fields));
    }

    private String data(UverbsAttribute id, CView attribute) {
        long data = attribute.get("data");
        int length = attribute.getInt("len");
        boolean pointer = id.kind() == UverbsAttribute.Kind.OUT
                || (id.kind() == UverbsAttribute.Kind.IN && length > Long.BYTES);
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

    @Override
    @Nullable
    CommandSpecification verb() {
        if (carried != null) {
            return CommandCatalogue.of(carried);
        }
        return method == null ? null : CommandCatalogue.of(method).orElse(null);
    }

    @Override
    String command() {
        if (carried != null) {
            return carried.cName();
        }
        CView head = IbUverbsIoctlHdr.STRUCT.view(memory);
        return method != null
                ? method.cName()
                : UverbsObject.of(head.getInt("object_id")).map(UverbsObject::cName).orElse("?") + " method "
                        + head.getInt("method_id");
    }

    @Override
    String transport() {
        return carried == null ? "ioctl" : "ioctl (INVOKE_WRITE)";
    }
}
