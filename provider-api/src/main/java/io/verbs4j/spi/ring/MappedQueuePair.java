// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.ring;

import io.verbs4j.abi.command.CommandChannel;
import io.verbs4j.abi.queuepair.CreateQueuePair;
import io.verbs4j.abi.queuepair.DestroyQueuePair;
import io.verbs4j.spi.ProviderQueuePair;
import org.jspecify.annotations.Nullable;

/// A queue pair whose doorbell is a command, and whose rings are memory of the kernel that the process has mapped.
public abstract class MappedQueuePair extends ProviderQueuePair {
    private final CommandChannel channel;
    private final MappedRing sendMapping;
    private final @Nullable MappedRing receiveMapping;
    private final SendDoorbell doorbell;

    /// Takes over a queue pair and its mappings.
    ///
    /// @param created the kernel's response
    /// @param receiveMapping null with a shared receive queue
    protected MappedQueuePair(
            CommandChannel channel,
            CreateQueuePair.Response created,
            MappedRing sendMapping,
            @Nullable MappedRing receiveMapping) {
        super(channel, created);
        this.channel = channel;
        this.sendMapping = sendMapping;
        this.receiveMapping = receiveMapping;
        this.doorbell = new SendDoorbell(channel.file(), created.handle());
    }

    /// Returns the doorbell of the send ring.
    protected final SendDoorbell doorbell() {
        return doorbell;
    }

    /// Vacates the rings: from now on, posting throws.
    protected abstract void vacate(String reason);

    @Override
    public final int destroy() {
        int events = DestroyQueuePair.execute(channel, handle());
        doorbell.silence();
        vacate("the queue pair is destroyed");
        sendMapping.close();
        if (receiveMapping != null) {
            receiveMapping.close();
        }
        return events;
    }
}
