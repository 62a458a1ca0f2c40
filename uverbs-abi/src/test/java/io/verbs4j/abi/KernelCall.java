// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.command.CommandSpecification;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsAttr;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A command that [KernelSide] received, in any envelope. A script reads the request from it, and writes the response
/// into it.
public final class KernelCall {
    /// The native method; null for another command.
    public final @Nullable UverbsMethod method;
    /// The write command; null for another command.
    public final @Nullable IbUserVerbsCmd command;
    /// The command of the connection manager; null for a verb.
    public final @Nullable RdmaUcmCmd manager;
    /// The envelope.
    public final Transport transport;
    /// The arguments of a native method.
    public final Map<UverbsAttribute, CView> attributes = new LinkedHashMap<>();
    /// The core's request of a write command.
    public MemorySegment request = MemorySegment.NULL;
    /// Memory for the core's response to a write command.
    public MemorySegment response = MemorySegment.NULL;
    /// The driver's request.
    public MemorySegment driverIn = MemorySegment.NULL;
    /// Memory for the driver's response.
    public MemorySegment driverOut = MemorySegment.NULL;

    private KernelCall(
            @Nullable UverbsMethod method,
            @Nullable IbUserVerbsCmd command,
            @Nullable RdmaUcmCmd manager,
            Transport transport) {
        this.method = method;
        this.command = command;
        this.manager = manager;
        this.transport = transport;
    }

    KernelCall(UverbsMethod method) {
        this(method, null, null, Transport.NATIVE_IOCTL);
    }

    KernelCall(IbUserVerbsCmd command, Transport transport) {
        this(null, command, null, transport);
    }

    KernelCall(RdmaUcmCmd manager) {
        this(null, null, manager, Transport.WRITE);
    }

    /// Returns the name in the kernel's header.
    public String name() {
        return method != null ? method.cName() : command != null ? command.cName() : known(manager).cName();
    }

    /// Returns the description of the command.
    public CommandSpecification specification() {
        return method != null ? CommandCatalogue.of(method).orElseThrow()
                : command != null ? CommandCatalogue.of(command) : CommandCatalogue.of(known(manager)).orElseThrow();
    }

    /// Returns the name of the command, which is the same in every envelope: `create completion queue`.
    public String operation() {
        return specification().operation();
    }

    /// Returns a number in the request of a write command, by its C name.
    public long get(String field) {
        return request().get(field);
    }

    /// Returns a numeric argument of a native method.
    public long in(UverbsAttribute attribute) {
        return attribute(attribute).get("data");
    }

    /// Returns whether a native method has an argument.
    public boolean has(UverbsAttribute attribute) {
        return attributes.containsKey(attribute);
    }

    /// Returns the `struct ib_uverbs_attr` of an argument.
    public CView attribute(UverbsAttribute attribute) {
        CView view = attributes.get(attribute);
        if (view == null) {
            throw new AssertionError(name() + " has no " + attribute);
        }
        return view;
    }

    /// Returns the payload or buffer whose address is an argument of a native method.
    public MemorySegment memory(UverbsAttribute attribute) {
        CView view = attribute(attribute);
        return KernelSide.at(view.get("data"), view.get("len"));
    }

    /// Writes the response of a native method.
    public void out(UverbsAttribute attribute, long value) {
        MemorySegment room = memory(attribute);
        if (room.byteSize() == Integer.BYTES) {
            room.set(ValueLayout.JAVA_INT, 0, (int) value);
        } else {
            room.set(ValueLayout.JAVA_LONG, 0, value);
        }
        attribute(attribute).set("flags", IbUverbsAttr.MANDATORY | IbUverbsAttr.VALID_OUTPUT);
    }

    /// Writes the handle of a new object.
    public void created(UverbsAttribute attribute, int handle) {
        attribute(attribute).set("data", handle);
    }

    /// Writes the handle or file descriptor of a new object in any envelope, if the command has room for it.
    public void created(int handle) {
        if (command != null) {
            response().set(first(response().struct()), handle);
        }
        attributes.forEach((attribute, view) -> {
            if (attribute.kind() == UverbsAttribute.Kind.NEW_HANDLE
                    || attribute.kind() == UverbsAttribute.Kind.NEW_FILE) {
                view.set("data", handle);
            }
        });
    }

    /// Returns the handle of the command's object: of one that was created, after that.
    public int handle() {
        CommandSpecification specification = specification();
        if (command == null) {
            return attributes.values().iterator().next().getInt("data");
        }
        if (specification.effect() == CommandSpecification.Effect.MAKES) {
            return response().getInt(first(response().struct()));
        }
        String field = specification.object().orElseThrow().name().toLowerCase(Locale.ROOT) + "_handle";
        return request().getInt(command.isExtended() ? "base." + field : field);
    }

    private static String first(CStruct struct) {
        return struct.fields().stream().filter(CStruct.Field::isNumber).findFirst().orElseThrow().path();
    }

    /// Returns the request of a write command.
    public CView request() {
        return (manager != null ? manager.request() : known(command).request()).view(request);
    }

    /// Returns the response to a write command.
    public CView response() {
        return (manager != null ? manager.response() : known(command).response()).orElseThrow().view(response);
    }

    private static <T> T known(@Nullable T kind) {
        if (kind == null) {
            throw new AssertionError("another kind of command");
        }
        return kind;
    }

    /// Returns the request of a write command, which has this struct and nothing else.
    public CView request(String struct) {
        return exactly(struct, request());
    }

    /// Returns the response to a write command, which has this struct and nothing else.
    public CView response(String struct) {
        return exactly(struct, response());
    }

    private static CView exactly(String struct, CView view) {
        if (!view.struct().name().equals(struct) || view.memory().byteSize() != view.struct().size()) {
            throw new AssertionError(struct + " is " + view.struct().name() + " of " + view.memory().byteSize());
        }
        return view;
    }

    /// Copies the request, whose memory ends with the call, without the address of the response.
    void keep() {
        request = copy(request);
        if (method == null && request().struct().fields().stream().anyMatch(each -> each.path().equals("response"))) {
            request().set("response", 0);
        }
        driverIn = copy(driverIn);
        attributes.replaceAll((_, view) -> view.struct().view(copy(view.memory())));
        response = MemorySegment.NULL;
        driverOut = MemorySegment.NULL;
    }

    private static MemorySegment copy(MemorySegment memory) {
        long words = (memory.byteSize() + Long.BYTES - 1) / Long.BYTES;
        return MemorySegment.ofArray(new long[(int) words]).asSlice(0, memory.byteSize()).copyFrom(memory);
    }

    @Override
    public String toString() {
        return name();
    }
}
