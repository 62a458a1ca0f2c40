// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.host.Host;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// Sends the commands of one open device. It contains the file, the driver id that every ioctl contains, and the
/// encodings that this kernel supports.
///
/// Thread-safe: it holds no state of a command. The command classes of this package take it as their first argument.
public final class CommandChannel implements AutoCloseable {
    private final DeviceFile file;
    /// The machine of the file; null for the current one, which is looked up lazily.
    private final @Nullable Host host;
    private final int driverId;
    private final String deviceName;
    private final int abiVersion;
    private final Transport transport;
    /// Rings that the kernel refused to unmap.
    private final Queue<MemorySegment> leftRings = new ConcurrentLinkedQueue<>();

    private CommandChannel(
            DeviceFile file,
            @Nullable Host host,
            int driverId,
            String deviceName,
            int abiVersion,
            Transport transport) {
        this.file = file;
        this.host = host;
        this.driverId = driverId;
        this.deviceName = deviceName;
        this.abiVersion = abiVersion;
        this.transport = transport;
    }

    /// Creates a channel that owns an open file. Detects the encodings that the kernel supports.
    ///
    /// @param host the machine of the file; null for the process's own
    /// @param driverId the kernel's number for the driver ([io.verbs4j.abi.uapi.RdmaDriver])
    /// @param deviceName name of the RDMA device, such as `rxe0`
    /// @param abiVersion version of the driver's ABI
    /// @param probe a write command with a request. verbs4j sends it without the request; its errno shows what the
    ///     kernel supports
    public static CommandChannel open(
            DeviceFile file,
            @Nullable Host host,
            int driverId,
            String deviceName,
            int abiVersion,
            CommandSpecification probe) {
        var channel = new CommandChannel(file, host, driverId, deviceName, abiVersion, Transport.NATIVE_IOCTL);
        return channel.takesInvokedWrites(probe)
                ? channel
                : new CommandChannel(file, host, driverId, deviceName, abiVersion, Transport.WRITE);
    }

    /// Creates a channel with a given transport, without detecting what the kernel supports. For tests.
    public static CommandChannel open(
            DeviceFile file, int driverId, String deviceName, int abiVersion, Transport transport) {
        return new CommandChannel(file, null, driverId, deviceName, abiVersion, transport);
    }

    /// Returns whether the kernel accepts write commands inside an ioctl. Uses libibverbs' probe: a command without its
    /// request fails with `ENOSPC` if the kernel supports the method, and with another errno otherwise. Needs no
    /// context and has no effect.
    private boolean takesInvokedWrites(CommandSpecification probe) {
        try (Arena arena = Arena.ofConfined()) {
            return !IoctlCommand.isMissing(InvokeWrite.send(this, WriteCommand.empty(arena, probe)));
        }
    }

    /// Returns the open file.
    public DeviceFile file() {
        return file;
    }

    /// Returns the machine of the file.
    public Host host() {
        Host known = host;
        return known == null ? Host.current() : known;
    }

    /// Returns the kernel's number for the driver.
    public int driverId() {
        return driverId;
    }

    /// Returns the device's name, such as `rxe0`.
    public String deviceName() {
        return deviceName;
    }

    /// Returns the version of the driver's ABI.
    public int abiVersion() {
        return abiVersion;
    }

    /// Returns the transport of the commands.
    public Transport transport() {
        return transport;
    }

    /// Unmaps a ring. If the kernel refuses, [#close()] retries, because the ring's object is already destroyed and
    /// cannot be closed twice.
    public void unmap(MemorySegment ring) {
        try {
            file.unmap(ring);
        } catch (VerbsException refused) {
            leftRings.add(ring);
        }
    }

    /// Closes the file, and unmaps rings that [#unmap] could not.
    ///
    /// @throws VerbsException if the kernel still refuses to unmap a ring; everything else is closed, and another call
    ///     retries
    @Override
    public void close() {
        file.close();
        for (var rings = leftRings.iterator(); rings.hasNext();) {
            file.unmap(rings.next());
            rings.remove();
        }
    }

    @Override
    public String toString() {
        return deviceName + " by " + transport;
    }
}
