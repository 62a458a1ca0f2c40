// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.catalogue.IoctlEnvelope;
import io.verbs4j.abi.command.InvokeWrite;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.abi.memory.ReregisterMemory;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.UverbsAttribute;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The kernel boundary with a fault: the n-th system call of a program, or each call of a kind, fails or returns a
/// wrong answer. Calls are counted over the device's file and all its event files.
public final class FaultInjector implements DeviceFile {
    /// A fault.
    public sealed interface Fault {
        /// The call fails without being executed. `EIO` means that the device was removed: all later commands and
        /// mappings fail in the same way.
        ///
        /// @param number positive
        record Fails(int number) implements Fault {}

        /// The call is executed; then all bytes of its answers are overwritten. A `write()`, whose answer is a count,
        /// returns the byte.
        record Garbled(byte with) implements Fault {}

        /// The call is executed; then the second half of each answer is restored, as if the kernel had not written it.
        /// A `write()` returns half its count.
        record Short() implements Fault {}
    }

    private final DeviceFile kernel;
    private final int faultyCall;
    private final @Nullable String faultyKind;
    private final Fault fault;
    private final List<String> calls = new ArrayList<>();
    private final Runnable beforeClose;
    private boolean armed = true;

    /// @param faultyCall from 1; larger than the number of calls for none
    public FaultInjector(DeviceFile kernel, int faultyCall, Fault fault) {
        this(kernel, faultyCall, fault, () -> {});
    }

    /// @param faultyCall number of the call, from 1; larger than the number of calls for none
    /// @param beforeClose action that runs when the program closes the file, while the file is still open: all other
    ///     objects should be gone
    public FaultInjector(DeviceFile kernel, int faultyCall, Fault fault, Runnable beforeClose) {
        this(kernel, faultyCall, null, fault, beforeClose);
    }

    private FaultInjector(
            DeviceFile kernel, int faultyCall, @Nullable String faultyKind, Fault fault, Runnable beforeClose) {
        this.kernel = kernel;
        this.faultyCall = faultyCall;
        this.faultyKind = faultyKind;
        this.fault = fault;
        this.beforeClose = beforeClose;
    }

    /// Creates a boundary whose fault strikes each call of a kind.
    ///
    /// @param call the calls' name in [#calls()]
    public static FaultInjector ofEach(DeviceFile kernel, String call, Fault fault) {
        return new FaultInjector(kernel, 0, call, fault, () -> {});
    }

    /// The calls so far, by name.
    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    /// Returns whether the fault has happened.
    public synchronized boolean struck() {
        return !armed;
    }

    /// Name of the call that the fault struck; empty if it did not.
    public synchronized String faultyCall() {
        return struck() ? calls.get(faultyCall - 1) : "";
    }

    /// Returns what goes wrong.
    public Fault fault() {
        return fault;
    }

    private synchronized boolean strikes(String call) {
        calls.add(call);
        if (faultyKind != null) {
            return faultyKind.equals(call);
        }
        boolean now = armed && calls.size() == faultyCall;
        armed &= !now;
        return now;
    }

    /// The injected error number, negated; 0 if the call is to be made.
    private int error(boolean strikes) {
        return strikes && fault instanceof Fault.Fails fails ? -fails.number : 0;
    }

    /// The same for a command or a mapping, which may come after the fault.
    private int commandError(boolean strikes) {
        return error(strikes || struck() && fault instanceof Fault.Fails fails && fails.number == Errno.EIO);
    }

    @Override
    public int ioctl(MemorySegment command) {
        boolean strikes = strikes(name(command));
        int error = commandError(strikes);
        if (error < 0) {
            return error;
        }
        int result = kernel.ioctl(command);
        if (strikes && result == 0) {
            spoilAnswers(command);
        }
        return result;
    }

    @Override
    public int write(MemorySegment command) {
        boolean strikes = strikes("write " + write(command.get(JAVA_INT, 0)));
        int error = commandError(strikes);
        if (error < 0) {
            return error;
        }
        int result = kernel.write(command);
        return strikes ? spoilt(result) : result;
    }

    @Override
    public MemorySegment map(long offset, long length) {
        int error = commandError(strikes("map"));
        if (error < 0) {
            throw KernelErrors.failure(SystemOperation.MAP_RING, -error);
        }
        return kernel.map(offset, length);
    }

    @Override
    public void unmap(MemorySegment ring) {
        int error = error(strikes("unmap"));
        if (error < 0) {
            throw KernelErrors.failure("unmap ring", -error, "");
        }
        kernel.unmap(ring);
    }

    @Override
    public void attachMemory(int region, MemorySegment memory) {
        kernel.attachMemory(region, memory);
    }

    @Override
    public int fileDescriptor() {
        return kernel.fileDescriptor();
    }

    @Override
    public int await(long timeoutNanos) {
        return kernel.await(timeoutNanos);
    }

    @Override
    public void wake() {
        kernel.wake();
    }

    @Override
    public EventFile eventFile(int fileDescriptor) {
        int error = error(strikes("take over events"));
        EventFile file = kernel.eventFile(fileDescriptor);
        if (error < 0) {
            file.close(); // as LinuxEventFile does when it cannot be made
            throw KernelErrors.failure(SystemOperation.AWAIT_EVENT, -error);
        }
        return new FaultyEvents(file);
    }

    /// Never fails, as `close(2)` does not: whatever it returns, the descriptor is released.
    @Override
    public void close() {
        beforeClose.run();
        kernel.close();
    }

    private final class FaultyEvents implements EventFile {
        private final EventFile file;

        FaultyEvents(EventFile file) {
            this.file = file;
        }

        @Override
        public int fileDescriptor() {
            return file.fileDescriptor();
        }

        @Override
        public int await(long timeoutNanos) {
            int error = error(strikes("await event"));
            return error < 0 ? error : file.await(timeoutNanos);
        }

        @Override
        public int read(MemorySegment record) {
            boolean strikes = strikes("read event");
            int error = error(strikes);
            if (error < 0) {
                return error;
            }
            int result = file.read(record);
            if (strikes && result > 0) {
                spoil(record);
                return fault instanceof Fault.Short ? result / 2 : result;
            }
            return result;
        }

        @Override
        public void wake() {
            file.wake();
        }

        @Override
        public void close() {
            file.close();
        }
    }

    private static String name(MemorySegment command) {
        var method = IoctlEnvelope.of(command).method();
        if (method.isEmpty()) {
            return "ioctl ?";
        }
        return method.get() == InvokeWrite.METHOD ? "invoke " + invoked(command)
                : "ioctl " + method.get().name();
    }

    private static String invoked(MemorySegment command) {
        int number = (int) argument(command, InvokeWrite.WRITE_CMD);
        // Re-registers no region: so rxe is asked whether it can do such a thing.
        boolean asks = number == ReregisterMemory.WRITE.number()
                && ReregisterMemory.REQUEST
                        .view(room(argument(command, InvokeWrite.CORE_IN), ReregisterMemory.REQUEST.size()))
                        .getInt("mr_handle")
                        == -1;
        return write(number) + (asks ? " of none" : "");
    }

    private static long argument(MemorySegment command, UverbsAttribute id) {
        return IoctlEnvelope.of(command)
                .argument(id)
                .orElseThrow(() -> new AssertionError("a command without " + id))
                .data();
    }

    private static String write(int command) {
        return CommandCatalogue.write(command).map(IbUserVerbsCmd::name).orElse("?");
    }

    /// Overwrites what a command has answered: attributes that point to room for it, and handles of new objects not.
    private void spoilAnswers(MemorySegment command) {
        for (IoctlEnvelope.Argument argument : IoctlEnvelope.of(command).arguments()) {
            if (argument.length() > 0 && isAnswer(argument.attribute().orElseThrow())) {
                spoil(room(argument.data(), argument.length()));
            }
        }
    }

    private static boolean isAnswer(UverbsAttribute attribute) {
        return attribute.kind() == UverbsAttribute.Kind.OUT;
    }

    @SuppressWarnings("restricted")
    private static MemorySegment room(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    private int spoilt(int count) {
        return switch (fault) {
            case Fault.Garbled garbled -> garbled.with;
            case Fault.Short _ -> count / 2;
            case Fault.Fails _ -> count;
        };
    }

    private void spoil(MemorySegment answer) {
        switch (fault) {
            case Fault.Garbled garbled -> answer.fill(garbled.with);
            case Fault.Short _ -> answer.asSlice(answer.byteSize() / 2).fill((byte) 0);
            case Fault.Fails _ -> {
            }
        }
    }
}
