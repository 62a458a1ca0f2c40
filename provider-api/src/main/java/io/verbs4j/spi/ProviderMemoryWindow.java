// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.memory.AllocateMemoryWindow;
import io.verbs4j.abi.memory.DeallocateMemoryWindow;

/// A memory window of the kernel.
public class ProviderMemoryWindow {
    private final CommandChannel channel;
    private final AllocateMemoryWindow.Response allocation;

    /// @param allocation handle and key
    public ProviderMemoryWindow(CommandChannel channel, AllocateMemoryWindow.Response allocation) {
        this.channel = channel;
        this.allocation = allocation;
    }

    /// Returns the kernel's handle.
    public final int handle() {
        return allocation.handle();
    }

    /// Returns the rkey as allocated. Each bind changes the lowest 8 bits of the window's key.
    public final int rkey() {
        return allocation.rkey();
    }

    /// Deallocates the window in the kernel.
    public void deallocate() {
        DeallocateMemoryWindow.execute(channel, handle());
    }
}
