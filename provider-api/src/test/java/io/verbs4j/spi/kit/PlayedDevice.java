// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.kit;

import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.spi.ProviderProtectionDomain;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// A device simulated in memory: the kernel's responses to commands, and the device's side of the rings. It reads the
/// rings by its own offsets, not by the provider's. It has one queue pair, one completion queue and one shared receive
/// queue at a time: those created last.
public interface PlayedDevice extends AutoCloseable {
    /// Returns the provider's context on this device.
    ProviderContext context();

    /// Returns a protection domain of the context.
    ProviderProtectionDomain domain();

    /// Returns the opcodes with buffers that a reliable connection of this device supports, as an
    /// [io.verbs4j.spi.ring.OpcodeSet].
    int operations();

    /// Returns the opcodes whose payload may be inline.
    int inlineOperations();

    /// Returns an address handle of the domain, or null if the device does not support datagrams.
    @Nullable
    ProviderAddressHandle addressHandle();

    /// Sets the sizes of the rings that are created next, if the kernel determines them.
    ///
    /// @param slots minimum number of elements
    /// @param elements buffers of a work request
    default void nextRings(int slots, int elements) {}

    /// Returns the number of sends that the device may take: 0 until a batch is published.
    int waitingSends();

    /// Returns the number of receives that the device may take, from the shared receive queue if there is one.
    int waitingReceives();

    /// Takes the oldest send and writes its completion. Leaves garbage in its slot, if a device may.
    ///
    /// @param status status of the completion: 0, or 5 for flushed
    Element takeSend(int status);

    /// Takes the oldest receive as [#takeSend] does.
    ///
    /// @param bytes length of the message
    Element takeReceive(int status, int bytes);

    /// Overwrites the memory that a device may write with garbage: indices, flags, completions.
    void writeRubbish(Random random);

    /// Returns a copy of all memory shared by provider and device.
    byte[] memory();

    /// Fails if memory outside of the rings was written.
    default void checkGuards() {}

    /// Makes the n-th call of the kernel from now on fail with `ENOMEM`; later ones succeed.
    ///
    /// @param nth 1 for the next
    void failCall(int nth);

    /// Returns whether the call that [#failCall] selected has been made.
    boolean hasFailed();

    /// Returns the objects and mappings that have not been released.
    List<String> left();

    /// Frees the memory.
    @Override
    void close();
}
