// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.catalogue.IoctlEnvelope;
import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.CommandSpecification.Effect;
import io.verbs4j.abi.command.InvokeWrite;
import io.verbs4j.abi.command.Transport;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.abi.uapi.CView;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsAttr;
import io.verbs4j.abi.uapi.IbUverbsCmdHdr;
import io.verbs4j.abi.uapi.IbUverbsExCmdHdr;
import io.verbs4j.abi.uapi.RdmaDriver;
import io.verbs4j.abi.uapi.RdmaUcmCmd;
import io.verbs4j.abi.uapi.RdmaUcmCmdHdr;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.abi.uapi.UverbsMethod;
import io.verbs4j.abi.uapi.UverbsObject;
import io.verbs4j.types.Errno;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/// The kernel's side of a device file. It decodes each command by its specification, in any envelope, rejects malformed
/// ones like the kernel (uverbs_ioctl.c, uverbs_main.c), and answers the others by a script: a function, or
/// [#answer(KernelCall)] of a subclass. A response that the script does not write contains zeros.
///
/// It can fail any operation, maps the rings that the script offers, and tracks remaining objects, files and mappings.
public class KernelSide implements DeviceFile {
    /// In place of a driver's number: the kernel's side of the connection manager's file.
    public static final int CONNECTION_MANAGER = -1;

    private static final int FIRST_FILE = 1000;
    private static final int PAGE = 0x1000;

    /// The well-formed commands received, in order.
    public final List<KernelCall> commands = new ArrayList<>();
    /// The files of events whose ownership was taken, by number.
    public final Map<Integer, KernelEvents> eventFiles = new LinkedHashMap<>();

    /// Whether the kernel has any native method.
    public boolean hasNativeMethods = true;
    /// Whether the kernel takes write commands inside an ioctl.
    public boolean hasInvokedWrites = true;
    /// Whether the kernel has the ioctl.
    public boolean hasIoctl = true;
    /// Whether [#commands] are kept.
    protected boolean keepsCommands = true;
    /// Handle of the next object. Handles are never reused.
    protected int nextHandle;
    /// File descriptor of the next file of events.
    protected int nextFile = FIRST_FILE;

    private final int driver;
    private final List<String> log = new ArrayList<>();
    private final Map<Integer, UverbsObject> objects = new TreeMap<>();
    private final Map<Long, MemorySegment> offers = new HashMap<>();
    private final Map<String, Integer> failures = new HashMap<>();
    private final Map<String, Runnable> beforehand = new HashMap<>();
    private final Map<String, Runnable> afterwards = new HashMap<>();
    private ToIntFunction<KernelCall> script = _ -> 0;
    private long nextOffset = PAGE;
    private int mapped;
    private int untilFailure;
    private boolean eventsWait;
    private boolean gone;
    private volatile boolean closed;

    /// Creates the kernel's side of a device of rxe.
    public KernelSide() {
        this(RdmaDriver.RXE);
    }

    /// Creates the kernel's side of a driver's device.
    public KernelSide(int driver) {
        this.driver = driver;
    }

    /// Sets the response to well-formed commands.
    ///
    /// @param how returns 0, or a negated errno
    public final KernelSide answer(ToIntFunction<KernelCall> how) {
        script = how;
        return this;
    }

    /// Answers a well-formed command.
    ///
    /// @return 0, or a negated errno
    protected int answer(KernelCall call) {
        return script.applyAsInt(call);
    }

    /// Returns a channel to this kernel.
    public final CommandChannel channel(Transport transport) {
        return CommandChannel.open(this, driver, "fake0", 2, transport);
    }

    /// Returns the operations: names of commands, `map`, `unmap`, `close events`; followed by `fails` if they failed.
    public final List<String> log() {
        return log;
    }

    /// Returns the last command.
    public final KernelCall last() {
        return commands.getLast();
    }

    /// Makes the n-th occurrence of an operation from now on fail.
    ///
    /// @param nth 1 for the next
    public final void fail(String operation, int nth) {
        failures.put(operation, nth);
    }

    /// Makes the n-th occurrence of any operation from now on fail; 0 for none.
    public final void failAny(int nth) {
        untilFailure = nth;
    }

    /// Returns whether the failure that [#failAny] scheduled has not occurred yet.
    public final boolean failureIsToCome() {
        return untilFailure > 0;
    }

    /// Runs an action once, before a command, even if it fails.
    public final void before(String operation, Runnable action) {
        beforehand.put(operation, action);
    }

    /// Runs an action once, after a successful command and before its caller continues.
    public final void after(String operation, Runnable action) {
        afterwards.put(operation, action);
    }

    /// Makes threads that wait on channels created from now on sleep until another thread adds an event.
    public final void letEventsWait() {
        eventsWait = true;
    }

    /// Removes the device: from now on, the kernel returns the error of a removed device for every command, and has
    /// destroyed all objects.
    public void remove() {
        gone = true;
        objects.clear();
    }

    /// Returns whether the program has closed the file.
    public final boolean isClosed() {
        return closed;
    }

    /// Returns the resources that remain: objects with their handles, open files, mapped rings.
    public List<String> left() {
        var left = new ArrayList<String>();
        objects.forEach((handle, kind) -> left.add(kind + " " + handle));
        eventFiles.values()
                .stream()
                .filter(file -> !file.isClosed())
                .forEach(file -> left.add("file "
                        + file.fileDescriptor()));
        if (mapped != 0) {
            left.add(mapped + " mapped rings");
        }
        if (!closed) {
            left.add("the device");
        }
        return left;
    }

    /// Creates or destroys the object of a command, as its specification states, and writes a new handle.
    ///
    /// @return 0, or a negated errno
    protected final int track(KernelCall call) {
        UverbsObject kind = call.specification().object().orElse(null);
        if (kind == null) {
            return 0;
        }
        return switch (call.specification().effect()) {
            case MAKES -> {
                if (kind == UverbsObject.COMP_CHANNEL || kind == UverbsObject.ASYNC_EVENT) {
                    call.created(nextFile++);
                } else {
                    objects.put(nextHandle, kind);
                    call.created(nextHandle++);
                }
                yield 0;
            }
            // A test may use an artificial protection domain.
            case DESTROYS -> objects.remove(call.handle(), kind) || kind == UverbsObject.PD ? 0 : -Errno.ENOENT;
            case READS, CHANGES -> 0;
        };
    }

    /// Returns whether an object exists.
    protected final boolean exists(UverbsObject kind, int handle) {
        return objects.get(handle) == kind;
    }

    /// Makes a ring available for mapping.
    ///
    /// @return its offset
    protected final long offer(MemorySegment ring) {
        offers.put(nextOffset, ring);
        nextOffset += PAGE;
        return nextOffset - PAGE;
    }

    /// Removes and returns the ring at an offset; null if there is none.
    protected @Nullable MemorySegment ring(long offset, long length) {
        return offers.remove(offset);
    }

    /// Returns the program's memory at an address.
    @SuppressWarnings("restricted") // the kernel accesses the program's memory, too
    public static MemorySegment at(long address, long length) {
        return MemorySegment.ofAddress(address).reinterpret(length);
    }

    /// Notes an operation.
    ///
    /// @return whether it succeeds
    protected boolean happens(String operation) {
        Integer left = failures.computeIfPresent(operation, (_, before) -> before - 1);
        boolean fails = left != null && left == 0;
        fails |= untilFailure > 0 && --untilFailure == 0;
        if (fails) {
            failures.remove(operation);
        }
        log.add(fails ? operation + " fails" : operation);
        return !fails;
    }

    private int run(KernelCall call) {
        String operation = call.operation();
        if (keepsCommands) {
            commands.add(call);
        }
        Runnable before = beforehand.remove(operation);
        if (before != null) {
            before.run();
        }
        int result;
        try {
            if (happens(operation)) {
                result = answer(call);
            } else {
                result = call.specification().effect() == Effect.DESTROYS ? -Errno.EBUSY : -Errno.ENOMEM;
            }
        } finally {
            if (keepsCommands) {
                call.keep();
            }
        }
        Runnable afterward = result == 0 ? afterwards.remove(operation) : null;
        if (afterward != null) {
            afterward.run();
        }
        return result;
    }

    private void assertForVerbs() {
        if (driver == CONNECTION_MANAGER) {
            throw new AssertionError("the connection manager takes commands by write(), and nothing else");
        }
    }

    private int unusable() {
        return closed ? -Errno.EBADF : gone ? -Errno.EIO : 0;
    }

    @Override
    public int ioctl(MemorySegment memory) {
        assertForVerbs();
        if (!hasIoctl) {
            return -Errno.ENOTTY;
        }
        if (unusable() < 0) {
            return unusable();
        }
        var envelope = IoctlEnvelope.of(memory);
        if (!envelope.hasRightLength() || envelope.length() != memory.byteSize()) {
            return -Errno.EINVAL;
        }
        if (!envelope.hasCleanHead()) {
            return -Errno.EPROTONOSUPPORT;
        }
        if (envelope.driverId() != driver) {
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
        IbUserVerbsCmd command = null;
        if (invoke) {
            CView number = attributes.get(InvokeWrite.WRITE_CMD);
            if (number == null || number.getInt("len") != Long.BYTES) {
                return -Errno.EINVAL;
            }
            command = CommandCatalogue.write((int) number.get("data")).orElse(null);
            if (command == null) {
                return -Errno.EOPNOTSUPP;
            }
        }
        var call = invoke
                ? new KernelCall(command, Transport.INVOKE_WRITE)
                : new KernelCall(method);
        call.attributes.putAll(invoke ? Map.of() : attributes);
        call.request = input(attributes.get(InvokeWrite.CORE_IN));
        call.response = output(attributes.get(InvokeWrite.CORE_OUT));
        call.driverIn = input(attributes.get(UverbsAttribute.UHW_IN));
        call.driverOut = output(attributes.get(UverbsAttribute.UHW_OUT));
        int result = invoke && call.request.byteSize() == 0 ? -Errno.ENOSPC : run(call);
        for (UverbsAttribute id : List.of(InvokeWrite.CORE_OUT, UverbsAttribute.UHW_OUT)) {
            if (result == 0 && attributes.get(id) instanceof CView written) {
                written.set("flags", written.get("flags") | IbUverbsAttr.VALID_OUTPUT);
            }
        }
        return result;
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
        if (unusable() < 0) {
            return unusable();
        }
        if (driver == CONNECTION_MANAGER) {
            return writeToManager(memory);
        }
        CView head = IbUverbsCmdHdr.STRUCT.view(memory);
        IbUserVerbsCmd id = CommandCatalogue.write(head.getInt("command")).orElse(null);
        if (id == null) {
            return -Errno.EOPNOTSUPP;
        }
        var call = new KernelCall(id, Transport.WRITE);
        int problem = id.isExtended() ? takeExtended(memory, head, call) : takePlain(memory, head, id, call);
        int result = problem < 0 ? problem : run(call);
        return result < 0 ? result : (int) memory.byteSize();
    }

    private int writeToManager(MemorySegment memory) {
        CView head = RdmaUcmCmdHdr.STRUCT.view(memory);
        RdmaUcmCmd id = CommandCatalogue.connectionManager(head.getInt("cmd")).orElse(null);
        MemorySegment request = memory.asSlice(RdmaUcmCmdHdr.STRUCT.size());
        if (id == null || head.get("in") != request.byteSize() || id.request().size() != request.byteSize()) {
            return -Errno.EINVAL;
        }
        var call = new KernelCall(id);
        call.request = request;
        if (head.get("out") > 0) {
            call.response = at(call.get("response"), head.get("out"));
        }
        int result = run(call);
        return result < 0 ? result : (int) memory.byteSize();
    }

    private static int takeExtended(MemorySegment memory, CView head, KernelCall call) {
        CView second = IbUverbsExCmdHdr.STRUCT.view(memory.asSlice(8));
        long core = 8L * head.getInt("in_words");
        long driver = 8L * second.getInt("provider_in_words");
        if (24 + core + driver != memory.byteSize() || second.get("cmd_hdr_reserved") != 0) {
            return -Errno.EINVAL;
        }
        call.request = memory.asSlice(24, core);
        call.driverIn = memory.asSlice(24 + core, driver);
        long answer = 8L * head.getInt("out_words");
        call.response = at(second.get("response"), answer);
        call.driverOut = at(second.get("response") + answer, 8L * second.getInt("provider_out_words"));
        return 0;
    }

    private static int takePlain(MemorySegment memory, CView head, IbUserVerbsCmd id, KernelCall call) {
        if (4L * head.getInt("in_words") != memory.byteSize()) {
            return -Errno.EINVAL;
        }
        int requestSize = id.request().size();
        int responseSize = id.response().map(CStruct::size).orElse(0);
        long answer = 4L * head.getInt("out_words");
        if (memory.byteSize() < 8 + requestSize || answer < responseSize) {
            return -Errno.ENOSPC;
        }
        call.request = memory.asSlice(8, requestSize);
        call.driverIn = memory.asSlice(8L + requestSize);
        if (responseSize > 0) {
            long address = memory.get(ValueLayout.JAVA_LONG, 8);
            call.response = at(address, responseSize);
            call.driverOut = at(address + responseSize, answer - responseSize);
        }
        return 0;
    }

    @Override
    public MemorySegment map(long offset, long length) {
        assertForVerbs();
        if (!happens("map")) {
            throw new VerbsException("map ring", Errno.ENOMEM, "");
        }
        MemorySegment ring = ring(offset, length);
        if (ring == null || ring.byteSize() != length) {
            throw new VerbsException("map ring", Errno.EINVAL, "offset=" + offset + " length=" + length);
        }
        mapped++;
        return ring;
    }

    @Override
    public void unmap(MemorySegment ring) {
        assertForVerbs();
        if (!happens("unmap")) {
            throw new VerbsException("unmap ring", Errno.ENOMEM, "");
        }
        ring.fill((byte) 0);
        mapped--;
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
        assertForVerbs();
        var file = new KernelEvents(fileDescriptor, eventsWait, () -> log.add("close events"));
        eventFiles.put(fileDescriptor, file);
        return file;
    }

    @Override
    public void close() {
        closed = true;
    }
}
