// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.support;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import java.lang.foreign.MemorySegment;

/// Lets one thread at a time into a simulated device, which is made for one.
public final class SerialFile implements DeviceFile {
    private final DeviceFile device;

    /// Stands before the device.
    public SerialFile(DeviceFile device) {
        this.device = device;
    }

    @Override
    public synchronized int ioctl(MemorySegment command) {
        return device.ioctl(command);
    }

    @Override
    public synchronized int write(MemorySegment command) {
        return device.write(command);
    }

    @Override
    public synchronized MemorySegment map(long offset, long length) {
        return device.map(offset, length);
    }

    @Override
    public synchronized void unmap(MemorySegment ring) {
        device.unmap(ring);
    }

    @Override
    public synchronized void attachMemory(int region, MemorySegment memory) {
        device.attachMemory(region, memory);
    }

    @Override
    public synchronized EventFile eventFile(int fileDescriptor) {
        return device.eventFile(fileDescriptor);
    }

    @Override
    public int fileDescriptor() {
        return device.fileDescriptor();
    }

    @Override
    public int await(long timeoutNanos) {
        return device.await(timeoutNanos);
    }

    @Override
    public void wake() {
        device.wake();
    }

    @Override
    public synchronized void close() {
        device.close();
    }
}
