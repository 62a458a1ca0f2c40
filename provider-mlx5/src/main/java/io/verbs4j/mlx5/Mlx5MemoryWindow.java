// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.mlx5;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.command.DriverData;
import io.verbs4j.abi.failure.Rollback;
import io.verbs4j.abi.memory.AllocateMemoryWindow;
import io.verbs4j.spi.ProviderMemoryWindow;
import io.verbs4j.spi.ProviderProtectionDomain;

/// A memory window. A bind depends on its type. It is found by its key, of which a bind changes only the lowest 8 bits.
final class Mlx5MemoryWindow extends ProviderMemoryWindow {
    private final NumberTable<Mlx5MemoryWindow> windows;
    private final int type;

    private Mlx5MemoryWindow(
            CommandChannel channel,
            AllocateMemoryWindow.Response allocation,
            int type,
            NumberTable<Mlx5MemoryWindow> windows) {
        super(channel, allocation);
        this.windows = windows;
        this.type = type;
    }

    /// Allocates a memory window, and adds it to the table. A failed allocation leaves nothing behind.
    static Mlx5MemoryWindow allocate(
            CommandChannel channel,
            ProviderProtectionDomain domain,
            int type,
            NumberTable<Mlx5MemoryWindow> windows) {
        try (var rollback = new Rollback()) {
            // Java allocates the object before it runs the command, so a lack of heap leaks no handle.
            Mlx5MemoryWindow allocated = rollback.make(
                    () -> new Mlx5MemoryWindow(
                            channel,
                            AllocateMemoryWindow.execute(channel, domain.handle(), type, DriverData.NONE),
                            type,
                            windows),
                    Mlx5MemoryWindow::deallocate);
            windows.put(allocated.rkey() >>> 8, allocated);
            rollback.keep();
            return allocated;
        }
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
