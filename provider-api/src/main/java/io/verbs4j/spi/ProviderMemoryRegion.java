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

    /// Returns the lkey, for this end's work requests, as registered.
    public final int lkey() {
        return registration.lkey();
    }

    /// Returns the rkey, for the peer's work requests, as registered.
    public final int rkey() {
        return registration.rkey();
    }

    /// Passes the memory segment to the device's file ([io.verbs4j.abi.device.DeviceFile#attachMemory]).
    public final void attach(MemorySegment memory) {
        channel.file().attachMemory(handle(), memory);
    }

    /// Changes the region in place. The keys may change, but [#lkey()] and [#rkey()] continue to return the registered
    /// keys.
    ///
    /// @return the new keys
    public ReregisterMemory.Response reregister(ReregisterMemory.Request request) {
        return ReregisterMemory.execute(channel, handle(), request, DriverData.NONE);
    }

    /// Deregisters the region in the kernel.
    public void deregister() {
        DeregisterMemory.execute(channel, handle());
    }
}
