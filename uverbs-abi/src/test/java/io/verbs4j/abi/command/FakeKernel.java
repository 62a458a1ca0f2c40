// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import io.verbs4j.abi.catalogue.CStructs;
import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.catalogue.IoctlEnvelope;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsAttr;
import io.verbs4j.abi.uapi.IbUverbsCmdHdr;
import io.verbs4j.abi.uapi.IbUverbsExCmdHdr;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.types.Errno;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// Parses commands like the kernel (uverbs_ioctl.c, uverbs_main.c), and rejects malformed ones like it. A test answers
/// the others.
final class FakeKernel implements DeviceFile {
    static final int DRIVER = 14;

    /// The well-formed commands received, in order.
    final List<Command> commands = new ArrayList<>();
    /// The file descriptors whose ownership was taken.
    final List<Integer> eventFiles = new ArrayList<>();

    boolean hasNativeMethods = true;
    boolean hasInvokedWrites = true;
    boolean hasIoctl = true;
    boolean closed;

    private ToIntFunction<Command> behaviour = command -> 0;

    /// A command of one of the two interfaces, in any envelope.
    static final class Command {
        final @Nullable UverbsMethod method;
        final @Nullable IbUserVerbsCmd command;
        final Transport transport;
        final Map<UverbsAttribute, CView> attributes = new LinkedHashMap<>();
        MemorySegment request = MemorySegment.NULL;
        MemorySegment response = MemorySegment.NULL;
        MemorySegment driverIn = MemorySegment.NULL;
        MemorySegment driverOut = MemorySegment.NULL;

        Command(@Nullable UverbsMethod method, @Nullable IbUserVerbsCmd command, Transport transport) {
            this.method = method;
            this.command = command;
            this.transport = transport;
        }

        String name() {
            return method != null ? method.cName() : command != null ? command.cName() : "?";
        }

        /// Returns a numeric argument of a native method.
        long in(UverbsAttribute attribute) {
            return attribute(attribute).get("data");
        }

        boolean has(UverbsAttribute attribute) {
            return attributes.containsKey(attribute);
        }

        CView attribute(UverbsAttribute attribute) {
            CView view = attributes.get(attribute);
            if (view == null) {
                throw new AssertionError(name() + " has no " + attribute);
            }
            return view;
        }

        /// Returns the payload or buffer whose address is an argument of a native method.
        MemorySegment memory(UverbsAttribute attribute) {
            CView view = attribute(attribute);
            return at(view.get("data"), view.get("len"));
        }

        /// Writes the response of a native method.
        void out(UverbsAttribute attribute, long value) {
            MemorySegment room = memory(attribute);
            if (room.byteSize() == Integer.BYTES) {
                room.set(ValueLayout.JAVA_INT, 0, (int) value);
            } else {
                room.set(ValueLayout.JAVA_LONG, 0, value);
            }
            attribute(attribute).set("flags", IbUverbsAttr.MANDATORY | IbUverbsAttr.VALID_OUTPUT);
        }

        /// Writes the handle of a new object.
        void created(UverbsAttribute attribute, int handle) {
            attribute(attribute).set("data", handle);
        }

        /// Returns the request struct of a write command.
        CView request(String struct) {
            return view(struct, request);
        }

        /// Returns the response struct of a write command.
        CView response(String struct) {
            return view(struct, response);
        }

        /// Copies the request, whose memory ends with the call.
        private void keep() {
            request = copy(request);
            driverIn = copy(driverIn);
            attributes.replaceAll((id, view) -> view.struct().view(copy(view.memory())));
            response = MemorySegment.NULL;
            driverOut = MemorySegment.NULL;
        }

        private static MemorySegment copy(MemorySegment memory) {
            return Arena.ofAuto().allocate(memory.byteSize(), Long.BYTES).copyFrom(memory);
        }

        private static CView view(String struct, MemorySegment memory) {
            CStruct description = CStructs.named(struct).orElseThrow();
            if (memory.byteSize() != description.size()) {
                throw new AssertionError(struct + " has another size: " + memory.byteSize());
            }
            return description.view(memory);
        }
    }

    /// Sets the response to well-formed commands.
    FakeKernel answer(ToIntFunction<Command> how) {
        behaviour = how;
        return this;
    }

    /// Returns a channel to this kernel.
    CommandChannel channel(Transport transport) {
        return CommandChannel.open(this, DRIVER, "fake0", 2, transport);
    }

    /// Returns the last command.
    Command last() {
        return commands.getLast();
    }

    @SuppressWarnings("restricted")
    static MemorySegment at(long address, long length) {
        return MemorySegment.ofAddress(address).reinterpret(length);
    }

    @Override
    public int ioctl(MemorySegment memory) {
        if (!hasIoctl) {
            return -Errno.ENOTTY;
        }
        var envelope = IoctlEnvelope.of(memory);
        if (!envelope.hasRightLength() || envelope.length() != memory.byteSize()) {
            return -Errno.EINVAL;
        }
        if (!envelope.hasCleanHead()) {
            return -Errno.EPROTONOSUPPORT;
        }
        if (envelope.driverId() != DRIVER) {
            return -Errno.EINVAL;
        }
        UverbsMethod method = envelope.method().orElse(null);
        boolean invoke = method == InvokeWrite.METHOD;
        if (method == null || (invoke ? !hasInvokedWrites : !hasNativeMethods)) {
            return -Errno.EPROTONOSUPPORT;
        }
        var attributes = new LinkedHashMap<UverbsAttribute, CView>();
        for (IoctlEnvelope.Argument argument : envelope.arguments()) {
            UverbsAttribute id = argument.attribute().orElse(null);
            CView view = IbUverbsAttr.STRUCT.view(memory.asSlice(argument.offset(), IbUverbsAttr.STRUCT.size()));
            if (id == null || !argument.isClean() || attributes.put(id, view) != null) {
                return -Errno.EINVAL;
            }
        }
        return invoke ? invoke(attributes) : run(nativeCommand(method, attributes));
    }

    private static Command nativeCommand(UverbsMethod method, Map<UverbsAttribute, CView> attributes) {
        var command = new Command(method, null, Transport.NATIVE_IOCTL);
        command.attributes.putAll(attributes);
        command.driverIn = input(attributes.get(UverbsAttribute.UHW_IN));
        command.driverOut = output(attributes.get(UverbsAttribute.UHW_OUT));
        return command;
    }

    private int invoke(Map<UverbsAttribute, CView> attributes) {
        CView number = attributes.get(InvokeWrite.WRITE_CMD);
        if (number == null || number.getInt("len") != Long.BYTES) {
            return -Errno.EINVAL;
        }
        IbUserVerbsCmd id = CommandCatalogue.write((int) number.get("data")).orElse(null);
        if (id == null) {
            return -Errno.EOPNOTSUPP;
        }
        var command = new Command(null, id, Transport.INVOKE_WRITE);
        command.request = input(attributes.get(InvokeWrite.CORE_IN));
        command.response = output(attributes.get(InvokeWrite.CORE_OUT));
        command.driverIn = input(attributes.get(UverbsAttribute.UHW_IN));
        command.driverOut = output(attributes.get(UverbsAttribute.UHW_OUT));
        return command.request.byteSize() == 0 ? -Errno.ENOSPC : run(command);
    }

    private static MemorySegment input(@Nullable CView attribute) {
        if (attribute == null) {
            return MemorySegment.NULL;
        }
        int length = attribute.getInt("len");
        return length <= Long.BYTES
                ? attribute.slice("data").asSlice(0, length)
                : at(attribute.get("data"), length);
    }

    private static MemorySegment output(@Nullable CView attribute) {
        return attribute == null ? MemorySegment.NULL : at(attribute.get("data"), attribute.getInt("len"));
    }

    @Override
    public int write(MemorySegment memory) {
        CView head = IbUverbsCmdHdr.STRUCT.view(memory);
        IbUserVerbsCmd id = CommandCatalogue.write(head.getInt("command")).orElse(null);
        if (id == null) {
            return -Errno.EOPNOTSUPP;
        }
        var command = new Command(null, id, Transport.WRITE);
        int problem = id.isExtended() ? takeExtended(memory, head, command) : takePlain(memory, head, command);
        int result = problem < 0 ? problem : run(command);
        return result < 0 ? result : (int) memory.byteSize();
    }

    private static int takeExtended(MemorySegment memory, CView head, Command command) {
        CView second = IbUverbsExCmdHdr.STRUCT.view(memory.asSlice(8));
        long core = 8L * head.getInt("in_words");
        long driver = 8L * second.getInt("provider_in_words");
        if (24 + core + driver != memory.byteSize() || second.get("cmd_hdr_reserved") != 0) {
            return -Errno.EINVAL;
        }
        command.request = memory.asSlice(24, core);
        command.driverIn = memory.asSlice(24 + core, driver);
        long answer = 8L * head.getInt("out_words");
        command.response = at(second.get("response"), answer);
        command.driverOut = at(second.get("response") + answer, 8L * second.getInt("provider_out_words"));
        return 0;
    }

    private static int takePlain(MemorySegment memory, CView head, Command command) {
        if (4L * head.getInt("in_words") != memory.byteSize()) {
            return -Errno.EINVAL;
        }
        String name = command.name().replace("IB_USER_VERBS_CMD_", "ib_uverbs_").toLowerCase(Locale.ROOT);
        int requestSize = CStructs.named(name).orElseThrow().size();
        int responseSize = CStructs.named(name + "_resp").map(CStruct::size).orElse(0);
        long answer = 4L * head.getInt("out_words");
        if (memory.byteSize() < 8 + requestSize || answer < responseSize) {
            return -Errno.ENOSPC;
        }
        command.request = memory.asSlice(8, requestSize);
        command.driverIn = memory.asSlice(8L + requestSize);
        if (responseSize > 0) {
            long address = memory.get(ValueLayout.JAVA_LONG, 8);
            command.response = at(address, responseSize);
            command.driverOut = at(address + responseSize, answer - responseSize);
            // The tests compare the rest of the request, which is the same in every envelope.
            memory.set(ValueLayout.JAVA_LONG, 8, 0);
        }
        return 0;
    }

    private int run(Command command) {
        commands.add(command);
        try {
            return behaviour.applyAsInt(command);
        } finally {
            command.keep();
        }
    }

    @Override
    public MemorySegment map(long offset, long length) {
        return Arena.ofAuto().allocate(length);
    }

    @Override
    public void unmap(MemorySegment ring) {
        ring.fill((byte) 0);
    }

    @Override
    public int fileDescriptor() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int await(long timeoutNanos) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void wake() {
        throw new UnsupportedOperationException();
    }

    @Override
    public EventFile eventFile(int fileDescriptor) {
        eventFiles.add(fileDescriptor);
        return new FakeEventFile(fileDescriptor);
    }

    @Override
    public void close() {
        closed = true;
    }

    /// Only its number is used.
    record FakeEventFile(int fileDescriptor) implements EventFile {
        @Override
        public int await(long timeoutNanos) {
            return 0;
        }

        @Override
        public int read(MemorySegment record) {
            return -Errno.EAGAIN;
        }

        @Override
        public void wake() {}

        @Override
        public void close() {}
    }
}
