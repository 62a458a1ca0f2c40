// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.memory.AllocateMemoryWindow;
import io.verbs4j.spi.ProviderMemoryWindow;

/// A memory window. A bind depends on its type. It is found by its key, of which a bind changes only the lowest 8 bits.
final class Mlx5MemoryWindow extends ProviderMemoryWindow {
    private final NumberTable<Mlx5MemoryWindow> windows;
    private final int type;

    Mlx5MemoryWindow(
            CommandChannel channel,
            AllocateMemoryWindow.Response allocation,
            int type,
            NumberTable<Mlx5MemoryWindow> windows) {
        super(channel, allocation);
        this.windows = windows;
        this.type = type;
        windows.put(allocation.rkey() >>> 8, this);
    }

    int type() {
        return type;
    }

    @Override
    public void deallocate() {
        super.deallocate();
        windows.remove(rkey() >>> 8, this);
    }
}
