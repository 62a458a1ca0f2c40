// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.datagram.DestroyAddressHandle;

/// An address handle. A provider extends this class with the data for its datagram work requests.
public abstract class ProviderAddressHandle {
    private final CommandChannel channel;
    private final int handle;

    /// @param handle the kernel's handle
    protected ProviderAddressHandle(CommandChannel channel, int handle) {
        this.channel = channel;
        this.handle = handle;
    }

    /// Destroys the kernel's object.
    public void destroy() {
        DestroyAddressHandle.execute(channel, handle);
    }
}
