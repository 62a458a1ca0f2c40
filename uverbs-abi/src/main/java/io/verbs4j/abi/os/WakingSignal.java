// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.os;

import io.verbs4j.types.Errno;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The signal that one thread sends to end another's blocking system call with `EINTR`.
///
/// It is the JDK's own signal for this purpose: closing a channel ends its reads with it (`INTERRUPT_SIGNAL` in
/// NativeThread.c). Its handler does nothing. This class checks that the handler exists. Without it, or if the C
/// library lacks a function, threads wait in `ppoll`.
final class WakingSignal {
    /// `__SIGRTMAX - 2`, as in NativeThread.c of libnio.
    private static final int NUMBER = 62;

    /// Size of a `sigset_t` of the C libraries, of which the kernel uses the first eight bytes.
    private static final long SIGNAL_SET_BYTES = 128;

    /// `struct sigaction` of glibc and of musl, on 64-bit processors; its first member is a union of two pointers.
    private static final StructLayout SIGACTION = MemoryLayout.structLayout(
            ValueLayout.JAVA_LONG.withName("sa_handler"),
            MemoryLayout.sequenceLayout(SIGNAL_SET_BYTES, ValueLayout.JAVA_BYTE).withName("sa_mask"),
            ValueLayout.JAVA_INT.withName("sa_flags"),
            MemoryLayout.paddingLayout(Integer.BYTES),
            ValueLayout.ADDRESS.withName("sa_restorer"));

    private static final long HANDLER = SIGACTION.byteOffset(PathElement.groupElement("sa_handler"));
    private static final long FLAGS = SIGACTION.byteOffset(PathElement.groupElement("sa_flags"));

    private static final int SA_RESTART = 0x10000000;
    private static final long SIG_IGN = 1;
    private static final int SIG_BLOCK = 0;

    /// The signal, or null if it cannot be used.
    private static final @Nullable WakingSignal INSTANCE = find();

    /// Whether the signal could be sent to the thread when it first waited.
    private static final ThreadLocal<Boolean> REACHES = ThreadLocal.withInitial(WakingSignal::isOpen);

    private final MethodHandle self;
    private final MethodHandle kill;
    private final MethodHandle mask;

    private WakingSignal(MethodHandle self, MethodHandle kill, MethodHandle mask) {
        this.self = self;
        this.kill = kill;
        this.mask = mask;
    }

    private static @Nullable WakingSignal find() {
        MethodHandle sigaction = link(
                "sigaction",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
        MethodHandle self = link("pthread_self", FunctionDescriptor.of(ValueLayout.JAVA_LONG));
        MethodHandle kill = link(
                "pthread_kill",
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT));
        MethodHandle mask = link(
                "pthread_sigmask",
                FunctionDescriptor.of(
                        ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS));
        if (sigaction == null || self == null || kill == null || mask == null) {
            return null;
        }
        return isHandled(sigaction) ? new WakingSignal(self, kill, mask) : null;
    }

    @SuppressWarnings("restricted")
    private static @Nullable MethodHandle link(String name, FunctionDescriptor shape) {
        Linker linker = Linker.nativeLinker();
        SymbolLookup library = linker.defaultLookup();
        return library.find(name).map(function -> linker.downcallHandle(function, shape)).orElse(null);
    }

    /// Returns whether the JDK has installed its handler, which must not repeat the system call (`SA_RESTART`).
    private static boolean isHandled(MethodHandle sigaction) {
        try (
                Arena arena = Arena.ofConfined();
                FileChannel file = FileChannel.open(Path.of("/dev/null"))) {
            file.read(ByteBuffer.allocate(1)); // The first read of a channel makes the JDK install it.
            MemorySegment present = arena.allocate(SIGACTION);
            int result = (int) sigaction.invokeExact(NUMBER, MemorySegment.NULL, present);
            return result == 0
                    && present.get(ValueLayout.JAVA_LONG, HANDLER) > SIG_IGN
                    && (present.get(ValueLayout.JAVA_INT, FLAGS) & SA_RESTART) == 0;
        } catch (IOException e) {
            return false;
        } catch (Throwable e) {
            throw Syscalls.unexpected(e);
        }
    }

    /// Returns the calling thread's `pthread_t` for [#send], valid while the thread lives.
    long currentThread() {
        try {
            return (long) self.invokeExact();
        } catch (Throwable e) {
            throw Syscalls.unexpected(e);
        }
    }

    /// Returns the signal if it reaches the calling thread. Returns null for a virtual thread, which must not block its
    /// carrier. Also returns null if the signal was blocked, or the user's limit of pending signals reached, when the
    /// thread first waited. Threads inherit blocked signals from the process that started the JVM. The limit may be 0.
    static @Nullable WakingSignal ofCurrentThread() {
        return INSTANCE == null || Thread.currentThread().isVirtual() || !REACHES.get() ? null : INSTANCE;
    }

    private static boolean isOpen() {
        return INSTANCE != null && !INSTANCE.isBlocked() && INSTANCE.kill(INSTANCE.currentThread()) == 0;
    }

    private boolean isBlocked() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment blocked = arena.allocate(SIGNAL_SET_BYTES, Long.BYTES);
            int result = (int) mask.invokeExact(SIG_BLOCK, MemorySegment.NULL, blocked);
            return result != 0 || (blocked.get(ValueLayout.JAVA_LONG, 0) & 1L << (NUMBER - 1)) != 0;
        } catch (Throwable e) {
            throw Syscalls.unexpected(e);
        }
    }

    /// Sends the signal, which ends the system call that the thread is in. The signal is lost if the thread is in none,
    /// or if the user's limit of pending signals is reached. The caller repeats it in either case.
    ///
    /// @param thread a living thread, from its own [#currentThread()]
    void send(long thread) {
        int result = kill(thread);
        if (result != 0 && result != Errno.EAGAIN) {
            throw new IllegalStateException("cannot signal a waiting thread: " + Errno.describe(result));
        }
    }

    /// @return 0, or an error number
    private int kill(long thread) {
        try {
            return (int) kill.invokeExact(thread, NUMBER);
        } catch (Throwable e) {
            throw Syscalls.unexpected(e);
        }
    }
}
