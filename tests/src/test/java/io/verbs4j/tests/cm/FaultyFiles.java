// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.cm;

import io.verbs4j.abi.cm.CmDevice;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.failure.KernelErrors;
import io.verbs4j.abi.failure.SystemOperation;
import io.verbs4j.abi.host.Host;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/// The connection manager's device file with one fault: the n-th of all openings, commands and waits for events, over
/// all files opened here, fails without being executed.
final class FaultyFiles implements Supplier<DeviceFile> {
    private final int faultyCall;
    private final int errno;
    private final List<String> calls = new ArrayList<>();

    /// @param faultyCall number of the call, from 1; larger than the number of calls for none
    /// @param errno positive error number
    FaultyFiles(int faultyCall, int errno) {
        this.faultyCall = faultyCall;
        this.errno = errno;
    }

    /// Returns how many calls there were.
    synchronized int calls() {
        return calls.size();
    }

    /// Returns whether the fault has happened.
    synchronized boolean struck() {
        return calls.size() >= faultyCall;
    }

    private synchronized boolean strikes(String call) {
        calls.add(call);
        return calls.size() == faultyCall;
    }

    @Override
    public synchronized String toString() {
        return "errno " + errno + " at call " + faultyCall + " of " + calls;
    }

    @Override
    public DeviceFile get() {
        if (strikes("open")) {
            throw KernelErrors.failure(SystemOperation.OPEN_DEVICE, errno);
        }
        DeviceFile file = Host.current().openNonBlocking(CmDevice.NODE);
        return new DeviceFile() {
            @Override
            public int write(MemorySegment command) {
                return strikes("command " + command.get(ValueLayout.JAVA_INT, 0)) ? -errno : file.write(command);
            }

            @Override
            public int fileDescriptor() {
                return file.fileDescriptor();
            }

            @Override
            public int await(long timeoutNanos) {
                return strikes("await") ? -errno : file.await(timeoutNanos);
            }

            @Override
            public void wake() {
                file.wake();
            }

            @Override
            public void close() {
                file.close();
            }

            @Override
            public int ioctl(MemorySegment command) {
                throw new AssertionError("the connection manager knows no ioctl");
            }

            @Override
            public MemorySegment map(long offset, long length) {
                throw new AssertionError("the connection manager has nothing to map");
            }

            @Override
            public void unmap(MemorySegment ring) {
                throw new AssertionError("the connection manager has nothing to map");
            }

            @Override
            public EventFile eventFile(int fileDescriptor) {
                throw new AssertionError("the connection manager has no files of events");
            }
        };
    }
}
