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

    /// The kernel's handle.
    public final int handle() {
        return registration.handle();
    }

    /// The key for our own work requests.
    public final int lkey() {
        return registration.lkey();
    }

    /// The key for the peer's requests.
    public final int rkey() {
        return registration.rkey();
    }

    /// Tells the kernel's side which memory this is ([io.verbs4j.abi.device.DeviceFile#attachMemory]).
    public final void attach(MemorySegment memory) {
        channel.file().attachMemory(handle(), memory);
    }

    /// Changes the region in place. The keys may change; the object goes on to report those of the registration.
    ///
    /// @return the keys from now on
    public ReregisterMemory.Response reregister(ReregisterMemory.Request request) {
        return ReregisterMemory.execute(channel, handle(), request, DriverData.NONE);
    }

    /// Gives it back to the kernel.
    public void deregister() {
        DeregisterMemory.execute(channel, handle());
    }
}
