// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.memory.DeallocateProtectionDomain;

/// A protection domain of the kernel. A driver whose domains have a number extends this class.
public class ProviderProtectionDomain {
    private final CommandChannel channel;
    private final int handle;

    /// @param handle the kernel's handle; 0 is valid
    public ProviderProtectionDomain(CommandChannel channel, int handle) {
        this.channel = channel;
        this.handle = handle;
    }

    /// Returns the kernel's handle.
    public final int handle() {
        return handle;
    }

    /// Deallocates the domain in the kernel.
    public void deallocate() {
        DeallocateProtectionDomain.execute(channel, handle);
    }
}
