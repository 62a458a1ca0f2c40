// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.simulator;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.catalogue.IoctlEnvelope;
import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.InvokeWrite;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.context.QueryGidEntry;
import io.verbs4j.abi.context.QueryGidTable;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.memory.QueryMemory;
import io.verbs4j.abi.queuepair.ModifyQueuePair;
import io.verbs4j.abi.queuepair.QueryQueuePair;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsAttr;
import io.verbs4j.abi.uapi.IbUverbsCmdHdr;
import io.verbs4j.abi.uapi.IbUverbsExCmdHdr;
import io.verbs4j.abi.uapi.IbUverbsIoctlHdr;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.tests.support.FileCalls;
import io.verbs4j.types.Errno;
import io.verbs4j.types.QueuePairAttribute;
import io.verbs4j.types.QueuePairState;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SequenceLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Sends a device's file, before each command of a program, copies of it that differ in one place: a length, a number,
/// a handle, a flag, or an argument more or less. The lines have the results and answers.
final class AlteredCommands {
    private static final long[] NUMBERS =
            {0, 1, 2, 3, 5, 6, 8, 27, 28, 31, 32, 33, 128, 129, 255, 256, 513, (1 << 20) + 1,
                    Integer.MAX_VALUE, -1};
    private static final long[] LENGTHS = {0, 1, 4095, 1L << 46, Long.MAX_VALUE, -1};
    private static final int HANDLES = 14;
    /// Number of commands that are altered of those that modify a queue pair; of others, the first is.
    private static final int MODIFICATIONS = 7;
    /// Room beyond each buffer, for altered lengths.
    private static final int SPARE = 64;
    /// A queue of so many elements would take long.
    private static final int MANY = 5000;
    private static final int HEAD = IbUverbsIoctlHdr.STRUCT.size();
    private static final int ATTRIBUTE = IbUverbsAttr.STRUCT.size();
    private static final int PLAIN_HEAD = IbUverbsCmdHdr.STRUCT.size();
    private static final int LONG_HEAD = PLAIN_HEAD + IbUverbsExCmdHdr.STRUCT.size();
    /// Not the program's: addresses, and what the program reads from its memory only.
    private static final Set<String> OPAQUE =
            Set.of("response", "user_handle", "addr", "mmap_info_addr", "driver_data");

    /// Write commands, and methods without a write command for the same.
    private static final Set<UverbsMethod> OLD = Set.of(InvokeWrite.METHOD, QueryGidEntry.METHOD, QueryGidTable.METHOD);

    final List<String> lines = new ArrayList<>();
    private final DeviceFile kernel;
    private final boolean older;
    private final Map<String, Integer> done;
    private boolean altering;
    private final List<MemorySegment> moves = new ArrayList<>();

    /// @param older whether the file takes write commands where there are any, as older kernels did
    /// @param done the number of commands so far, by name
    AlteredCommands(DeviceFile kernel, boolean older, Map<String, Integer> done) {
        this.kernel = kernel;
        this.done = done;
        this.older = older;
    }

    /// Begins to send altered commands.
    void begin() {
        altering = true;
    }

    void end() {
        altering = false;
    }

    /// Returns the file for the program.
    DeviceFile file() {
        return FileCalls.of(kernel, call -> {
            if (older && call.name().equals("ioctl") && !isOld(call.memory())) {
                return -Errno.EPROTONOSUPPORT;
            }
            if (!call.isCommand()) {
                return call.pass();
            }
            var command = new Original(call.memory(), call.name().equals("ioctl"));
            if (altering && done.merge(command.name(), 1, Integer::sum) <= (command.isModify() ? MODIFICATIONS : 1)) {
                command.changes().forEach(change -> lines.add(command.send(change)));
            }
            if (command.isModify()) {
                moves.add(call.memory());
            }
            Object result = call.pass();
            if (altering) {
                lines.add(command.name() + ": " + result);
            }
            return result;
        });
    }

    private static boolean isOld(MemorySegment command) {
        return IoctlEnvelope.of(command).method().filter(OLD::contains).isPresent();
    }

    private record Change(String name, Consumer<Copy> change) {}

    /// A copy of a command, with its own memory.
    ///
    /// @param buffers memory of its arguments; of a written command, its answer
    private record Copy(MemorySegment command, List<@Nullable MemorySegment> buffers) {
        Copy with(MemorySegment other) {
            return new Copy(other, buffers);
        }
    }

    private final class Original {
        private final MemorySegment command;
        private final boolean ioctl;
        private final List<IoctlEnvelope.Argument> arguments;
        private final @Nullable IbUserVerbsCmd write;

        Original(MemorySegment command, boolean ioctl) {
            this.command = command;
            this.ioctl = ioctl;
            arguments = ioctl ? IoctlEnvelope.of(command).arguments() : List.of();
            boolean ofMethod = ioctl && IoctlEnvelope.of(command).method().orElseThrow() != InvokeWrite.METHOD;
            write = ofMethod ? null
                    : CommandCatalogue.write(ioctl
                            ? (int) IoctlEnvelope.of(command).argument(InvokeWrite.WRITE_CMD).orElseThrow().data()
                            : command.get(JAVA_INT_UNALIGNED, 0)).orElseThrow();
        }

        String name() {
            return write != null ? write.name() : IoctlEnvelope.of(command).method().orElseThrow().name();
        }

        boolean isModify() {
            return write == ModifyQueuePair.WRITE || write == ModifyQueuePair.EXTENDED_WRITE;
        }

        private int head() {
            return write != null && write.isExtended() ? LONG_HEAD : PLAIN_HEAD;
        }

        private Copy copy(Arena arena) {
            MemorySegment copy = arena.allocate(command.byteSize() + 2L * ATTRIBUTE, 8).asSlice(0, command.byteSize());
            copy.copyFrom(command);
            var buffers = new ArrayList<@Nullable MemorySegment>();
            if (!ioctl) {
                long place =
                        head() == PLAIN_HEAD ? PLAIN_HEAD : PLAIN_HEAD + IbUverbsExCmdHdr.STRUCT.offset("response");
                if (write != null && write.response().isPresent()) {
                    MemorySegment answer = arena.allocate(1024, 8);
                    copy.set(JAVA_LONG_UNALIGNED, place, answer.address());
                    buffers.add(answer);
                }
                return new Copy(copy, buffers);
            }
            for (IoctlEnvelope.Argument argument : arguments) {
                MemorySegment buffer = null;
                if (points(argument)) {
                    buffer = arena.allocate(argument.length() + SPARE, 8);
                    if (!isAnswer(argument)) {
                        MemorySegment.copy(memory(argument.data(), argument.length()), 0, buffer, 0, argument.length());
                    }
                    copy.set(JAVA_LONG_UNALIGNED, argument.offset() + IbUverbsAttr.STRUCT.offset("data"),
                            buffer.address());
                }
                buffers.add(buffer);
            }
            return new Copy(copy, buffers);
        }

        private boolean isAnswer(IoctlEnvelope.Argument argument) {
            return argument.attribute().orElseThrow().kind() == UverbsAttribute.Kind.OUT;
        }

        private boolean points(IoctlEnvelope.Argument argument) {
            return isAnswer(argument)
                    || (argument.attribute().orElseThrow().kind() == UverbsAttribute.Kind.IN && !argument.isInline());
        }

        String send(Change change) {
            try (Arena arena = Arena.ofConfined()) {
                if (isModify()) {
                    restore(arena);
                }
                Copy copy = copy(arena);
                var sent = new Copy[]{copy};
                change.change.accept(copy);
                if (change.name.startsWith("cut")) {
                    sent[0] = copy.with(copy.command.asSlice(0, copy.command.byteSize() - 4));
                }
                int result = ioctl ? kernel.ioctl(sent[0].command) : kernel.write(sent[0].command);
                String shown =
                        result < 0 ? Errno.name(-result) : result + answers(copy) + (isModify() ? state(copy) : "");
                return name() + " " + change.name + ": " + shown;
            }
        }

        /// Returns the attributes of the modified queue pair, without random numbers of the library.
        private String state(Copy copy) {
            MemorySegment request = ioctl ? request(copy) : copy.command.asSlice(head());
            int handle = request.get(JAVA_INT_UNALIGNED,
                    write.request().offset(write.isExtended() ? "base.qp_handle" : "qp_handle"));
            CommandChannel channel = CommandChannel.open(kernel, RdmaDriver.RXE, "rxe0", 2, Transport.NATIVE_IOCTL);
            return " " + QueryQueuePair.execute(channel, handle, -1).toString().replaceAll("(Psn|psn)=\\d+", "$1");
        }

        /// Brings the queue pairs into the state before the command.
        private void restore(Arena arena) {
            Copy reset = copy(arena);
            MemorySegment request = ioctl ? request(reset) : reset.command.asSlice(head());
            CStruct struct = write.request();
            String base = write.isExtended() ? "base." : "";
            request.set(JAVA_INT_UNALIGNED, struct.offset(base + "attr_mask"), QueuePairAttribute.STATE.bit());
            request.set(JAVA_BYTE, struct.offset(base + "qp_state"), (byte) QueuePairState.RESET.value());
            send(reset);
            for (MemorySegment move : moves) {
                if (move.scope().isAlive()) {
                    send(new Original(move, ioctl).copy(arena));
                }
            }
        }

        private void send(Copy copy) {
            if (ioctl) {
                kernel.ioctl(copy.command);
            } else {
                kernel.write(copy.command);
            }
        }

        private MemorySegment request(Copy copy) {
            for (int i = 0; i < arguments.size(); i++) {
                if (arguments.get(i).attribute().orElseThrow() == InvokeWrite.CORE_IN && copy.buffers.get(i) != null) {
                    return copy.buffers.get(i);
                }
            }
            throw new AssertionError(name() + " has no request");
        }

        private String answers(Copy copy) {
            var text = new StringBuilder();
            for (int i = 0; i < copy.buffers.size(); i++) {
                MemorySegment buffer = copy.buffers.get(i);
                UverbsAttribute attribute = ioctl ? arguments.get(i).attribute().orElseThrow() : null;
                if (buffer == null || (attribute != null && !isAnswer(arguments.get(i)))
                        || attribute == QueryMemory.QUERY_MR_RESP_IOVA) {
                    continue;
                }
                if (write != null && (attribute == null || attribute == InvokeWrite.CORE_OUT)) {
                    write.response().ifPresent(struct -> forget(struct, buffer));
                }
                text.append(' ').append(HexFormat.of().formatHex(buffer.toArray(JAVA_BYTE)).replaceAll("(00)+$", ""));
            }
            return text.toString();
        }

        /// Clears random numbers of the library.
        private static void forget(CStruct struct, MemorySegment answer) {
            for (CStruct.Field field : struct.fields()) {
                if (field.path().contains("psn") && field.offset() + field.width() <= answer.byteSize()) {
                    answer.asSlice(field.offset(), field.width()).fill((byte) 0);
                }
            }
        }

        List<Change> changes() {
            var changes = new ArrayList<Change>();
            if (ioctl) {
                ofHead(changes);
                for (int i = 0; i < arguments.size(); i++) {
                    ofArgument(changes, i);
                }
            } else {
                ofWrite(changes);
            }
            return changes;
        }

        private void ofHead(List<Change> changes) {
            CStruct struct = IbUverbsIoctlHdr.STRUCT;
            changes.add(half("length", struct.offset("length"), (int) command.byteSize() + 8));
            changes.add(half("length", struct.offset("length"), (int) command.byteSize() - 8));
            changes.add(half("attributes", struct.offset("num_attrs"), arguments.size() + 1));
            changes.add(half("attributes", struct.offset("num_attrs"), arguments.size() - 1));
            changes.add(half("object", struct.offset("object_id"), 0xfff));
            changes.add(half("method", struct.offset("method_id"), 99));
            changes.add(half("reserved", struct.offset("reserved1"), 1));
            changes.add(half("reserved", struct.offset("reserved2"), 1));
            changes.add(half("driver", struct.offset("driver_id"), 1));
        }

        private Change half(String name, long at, int value) {
            return new Change(
                    name + " " + value, copy -> copy.command.set(JAVA_SHORT_UNALIGNED, at, (short) value));
        }

        private void ofArgument(List<Change> changes, int index) {
            IoctlEnvelope.Argument argument = arguments.get(index);
            UverbsAttribute attribute = argument.attribute().orElseThrow();
            long at = argument.offset();
            long length = at + IbUverbsAttr.STRUCT.offset("len");
            String name = attribute.toString();
            changes.add(new Change(name + " missing", copy -> {
                long rest = copy.command.byteSize() - at - ATTRIBUTE;
                MemorySegment.copy(copy.command, at + ATTRIBUTE, copy.command, at, rest);
                count(copy, -1);
            }));
            changes.add(half(name + " unknown", at + IbUverbsAttr.STRUCT.offset("attr_id"), 0x7ff));
            changes.add(new Change(name + " unknown and optional", copy -> {
                copy.command.set(JAVA_SHORT_UNALIGNED, at + IbUverbsAttr.STRUCT.offset("attr_id"), (short) 0x7ff);
                copy.command.set(JAVA_SHORT_UNALIGNED, at + IbUverbsAttr.STRUCT.offset("flags"), (short) 0);
            }));
            if (argument.length() > 0) {
                changes.add(half(name + " length", length, argument.length() - 1));
                changes.add(half(name + " length", length, 0));
            }
            if (points(argument) || attribute.kind() != UverbsAttribute.Kind.IN || argument.length() < Long.BYTES) {
                changes.add(half(name + " length", length, argument.length() + 1));
            }
            if (points(argument)) {
                @Nullable CStruct struct = attribute == InvokeWrite.CORE_IN && write != null ? write.request()
                        : attribute.struct().orElse(null);
                if (!isAnswer(argument) && struct != null) {
                    ofStruct(changes, struct, copy -> copy.buffers.get(index),
                            memory(argument.data(), argument.length()));
                }
            } else if (attribute != InvokeWrite.WRITE_CMD && attribute != UverbsAttribute.UHW_IN) {
                boolean handle = attribute.kind() == UverbsAttribute.Kind.HANDLE;
                ofNumber(changes, name, argument.data(), handle,
                        (copy, value) -> copy.command.set(JAVA_LONG_UNALIGNED,
                                at + IbUverbsAttr.STRUCT.offset("data"), value));
            } else if (attribute == InvokeWrite.WRITE_CMD) {
                changes.add(new Change("unknown command", copy -> copy.command.set(JAVA_LONG_UNALIGNED,
                        at + IbUverbsAttr.STRUCT.offset("data"), 63)));
                changes.add(new Change("command with a flag", copy -> copy.command.set(JAVA_LONG_UNALIGNED,
                        at + IbUverbsAttr.STRUCT.offset("data"), argument.data() | 0x100)));
            }
        }

        private void count(Copy copy, int more) {
            long length = IbUverbsIoctlHdr.STRUCT.offset("length");
            long attributes = IbUverbsIoctlHdr.STRUCT.offset("num_attrs");
            copy.command.set(JAVA_SHORT_UNALIGNED, length,
                    (short) (HEAD + (arguments.size() + more) * ATTRIBUTE));
            copy.command.set(JAVA_SHORT_UNALIGNED, attributes, (short) (arguments.size() + more));
        }

        private void ofWrite(List<Change> changes) {
            int in = command.get(JAVA_SHORT_UNALIGNED, 4);
            int out = command.get(JAVA_SHORT_UNALIGNED, 6);
            changes.add(half("in", 4, in + 1));
            changes.add(half("in", 4, in - 1));
            changes.add(half("out", 6, out + 1));
            if (out > 0) {
                changes.add(half("out", 6, out - 1));
                changes.add(half("out", 6, 0));
            }
            changes.add(half("unknown command", 0, 63));
            changes.add(new Change("cut", _ -> {}));
            changes.add(
                    new Change("cut, counted", copy -> copy.command.set(JAVA_SHORT_UNALIGNED, 4, (short) (in - 1))));
            if (write == null) {
                return;
            }
            if (write.isExtended()) {
                changes.add(half("driver in", PLAIN_HEAD + IbUverbsExCmdHdr.STRUCT.offset("provider_in_words"), 1));
            }
            int size = write.request().size();
            if (command.byteSize() >= head() + size) {
                ofStruct(changes, write.request(), copy -> copy.command.asSlice(head()),
                        command.asSlice(head(), size));
            }
        }

        /// Finds the memory of a struct in a copy.
        private interface Place {
            @Nullable
            MemorySegment in(Copy copy);
        }

        private interface Setter {
            void set(Copy copy, long value);
        }

        private void ofStruct(List<Change> changes, CStruct struct, Place place, MemorySegment present) {
            for (CStruct.Field field : struct.fields()) {
                String last = field.path().substring(field.path().lastIndexOf('.') + 1);
                if (OPAQUE.contains(last) || (isModify() && isOfUnusedPath(field.path(), struct, present))) {
                    continue;
                }
                if (field.isNumber()) {
                    long value = struct.view(aligned(present)).get(field.path());
                    boolean handle = last.endsWith("_handle");
                    ofNumber(changes, field.path(), value, handle,
                            (copy, changed) -> number(place.in(copy), field, changed));
                } else if (field.layout() instanceof SequenceLayout bytes && bytes.byteSize() > 0) {
                    for (long at : new TreeSet<>(List.of(0L, bytes.byteSize() / 2, bytes.byteSize() - 1))) {
                        changes.add(new Change(field.path() + "[" + at + "]", copy -> {
                            MemorySegment memory = place.in(copy);
                            long offset = field.offset() + at;
                            memory.set(JAVA_BYTE, offset, (byte) ~memory.get(JAVA_BYTE, offset));
                        }));
                    }
                }
            }
        }

        /// Returns whether a field belongs to a path that the command does not change.
        private static boolean isOfUnusedPath(String field, CStruct struct, MemorySegment present) {
            int mask = struct.view(aligned(present)).getInt(field.startsWith("base.") ? "base.attr_mask" : "attr_mask");
            return field.contains("alt_dest.")
                    || (field.contains("dest.") && (mask & QueuePairAttribute.ADDRESS_VECTOR.bit()) == 0);
        }

        private static MemorySegment aligned(MemorySegment bytes) {
            return Arena.ofAuto().allocate(bytes.byteSize(), 8).copyFrom(bytes);
        }

        private static void number(@Nullable MemorySegment memory, CStruct.Field field, long value) {
            for (int i = 0; i < field.width(); i++) {
                int shift = field.swapped() ? field.width() - 1 - i : i;
                memory.set(JAVA_BYTE, field.offset() + i, (byte) (value >>> 8 * shift));
            }
        }

        private void ofNumber(List<Change> changes, String name, long present, boolean handle, Setter setter) {
            var values = new TreeSet<Long>();
            boolean closes = name().matches(".*(DESTROY|DEALLOC|DEREG|DETACH).*");
            String small = name.toLowerCase(java.util.Locale.ROOT);
            if (handle) {
                values.add(present + 100);
                for (long value = 0; value < HANDLES && !closes; value++) {
                    values.add(value);
                }
            } else if (small.equals("start") || small.equals("hca_va")) {
                values.addAll(Set.of(present + 1, 0L, -4096L, Long.MIN_VALUE));
            } else if (small.equals("length")) {
                for (long value : LENGTHS) {
                    values.add(value);
                }
            } else if (small.contains("comp_vector")) {
                values.addAll(Set.of(1L, -1L, 0x7fff_ffffL)); // the machine decides how many there are
            } else {
                for (long value : NUMBERS) {
                    values.add(value);
                }
                if (!small.contains("psn")) { // random
                    values.add(present + 1);
                    values.add(present - 1);
                }
                if (small.contains("mask") || small.contains("flags")) {
                    for (int bit = 0; bit < Integer.SIZE; bit++) {
                        values.add(present ^ 1L << bit);
                    }
                }
            }
            boolean size = small.matches(".*(_wr|cqe).*");
            if (!small.contains("psn")) {
                values.remove(present);
            }
            for (long value : values) {
                if (!size || value < MANY || value > 1 << 20) {
                    String shown = small.equals("start") || small.equals("hca_va") ? " " + (value - present) % 8
                            : " " + value;
                    changes.add(new Change(name + shown, copy -> setter.set(copy, value)));
                }
            }
        }
    }

    @SuppressWarnings("restricted")
    private static MemorySegment memory(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }
}
