// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.host.Host;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsQueryDevice;
import io.verbs4j.abi.uapi.IbUverbsQueryDeviceResp;
import io.verbs4j.types.VerbsException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// Carries the commands of one open device: the file, the driver's number that every ioctl must bear, and the
/// envelopes that this kernel takes.
///
/// Safe for use by many threads: it holds no state of a command. The command classes of this package take it as their first
/// argument.
public final class CommandChannel implements AutoCloseable {
    /// Asks for the device's limits, and here whether the kernel takes write commands inside an ioctl.
    public static final IbUserVerbsCmd QUERY_DEVICE =
            IbUserVerbsCmd.of(1, "QUERY_DEVICE", IbUverbsQueryDevice.STRUCT, IbUverbsQueryDeviceResp.STRUCT);

    private final DeviceFile file;
    /// The machine of the file; null for the current one, which is not looked for before somebody asks.
    private final @Nullable Host host;
    private final int driverId;
    private final String deviceName;
    private final int abiVersion;
    private final Transport transport;
    /// Rings that the kernel would not take back.
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

    /// A channel over an open file, which it owns from now on. Asks the kernel which envelopes it takes.
    ///
    /// @param driverId the kernel's number for the driver ([io.verbs4j.abi.uapi.RdmaDriver])
    /// @param deviceName name of the RDMA device, such as `rxe0`
    /// @param abiVersion version of the driver's ABI
    public static CommandChannel open(DeviceFile file, int driverId, String deviceName, int abiVersion) {
        return open(file, null, driverId, deviceName, abiVersion);
    }

    /// A channel over an open file of a machine.
    ///
    /// @param host the machine of the file; null for the one that the process uses
    public static CommandChannel open(
            DeviceFile file, @Nullable Host host, int driverId, String deviceName, int abiVersion) {
        var channel = new CommandChannel(file, host, driverId, deviceName, abiVersion, Transport.NATIVE_IOCTL);
        return channel.takesInvokedWrites()
                ? channel
                : new CommandChannel(file, host, driverId, deviceName, abiVersion, Transport.WRITE);
    }

    /// A channel whose commands all go one way, for tests of that way.
    public static CommandChannel open(
            DeviceFile file, int driverId, String deviceName, int abiVersion, Transport transport) {
        return new CommandChannel(file, null, driverId, deviceName, abiVersion, transport);
    }

    /// Returns whether the kernel takes write commands inside an ioctl, asked as libibverbs asks it: a command without
    /// its request is refused for being too short (`ENOSPC`) by a kernel that looked at it, and in another way by one
    /// that knows no such method. No context is needed, and nothing happens.
    private boolean takesInvokedWrites() {
        try (Arena arena = Arena.ofConfined()) {
            int result = InvokeWrite.send(
                    this, "query device", arena, QUERY_DEVICE, MemorySegment.NULL, MemorySegment.NULL,
                    DriverData.NONE);
            return !IoctlCommand.isMissing(result);
        }
    }

    /// The open file.
    public DeviceFile file() {
        return file;
    }

    /// The machine of the file.
    public Host host() {
        Host known = host;
        return known == null ? Host.current() : known;
    }

    /// The kernel's number for the driver.
    public int driverId() {
        return driverId;
    }

    /// The device's name, such as `rxe0`.
    public String deviceName() {
        return deviceName;
    }

    /// Version of the driver's ABI.
    public int abiVersion() {
        return abiVersion;
    }

    /// Returns the way by which commands travel.
    public Transport transport() {
        return transport;
    }

    /// Gives a mapped ring back to the kernel. If the kernel refuses, [#close()] tries again: the object whose ring it was is
    /// destroyed by then, and could not be closed a second time.
    public void unmap(MemorySegment ring) {
        try {
            file.unmap(ring);
        } catch (VerbsException refused) {
            leftRings.add(ring);
        }
    }

    /// Closes the file, and unmaps what [#unmap] could not.
    ///
    /// @throws VerbsException if the kernel still refuses to unmap a ring; everything else is closed then, and another call
    ///     tries once more
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
