// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.memory.DeregisterMemory;
import io.verbs4j.abi.memory.RegisterMemory;
import io.verbs4j.abi.memory.ReregisterMemory;
import java.lang.foreign.MemorySegment;

/// A memory region of the kernel.
public class ProviderMemoryRegion {
    private final CommandChannel channel;
    private final RegisterMemory.Response registration;

    /// @param registration handle and keys
    public ProviderMemoryRegion(CommandChannel channel, RegisterMemory.Response registration) {
        this.channel = channel;
        this.registration = registration;
    }

    /// Returns the kernel's handle.
    public final int handle() {
        return registration.handle();
    }

    /// Returns the key for our own work requests.
    public final int lkey() {
        return registration.lkey();
    }

    /// Returns the key for the peer's requests.
    public final int rkey() {
        return registration.rkey();
    }

    /// Passes the memory segment to the kernel's side ([io.verbs4j.abi.device.DeviceFile#attachMemory]).
    public final void attach(MemorySegment memory) {
        channel.file().attachMemory(handle(), memory);
    }

    /// Changes the region in place. The keys may change; the object continues to return those of the registration.
    ///
    /// @return the present keys
    public ReregisterMemory.Response reregister(ReregisterMemory.Request request) {
        return ReregisterMemory.execute(channel, handle(), request, DriverData.NONE);
    }

    /// Deregisters the region in the kernel.
    public void deregister() {
        DeregisterMemory.execute(channel, handle());
    }
}
