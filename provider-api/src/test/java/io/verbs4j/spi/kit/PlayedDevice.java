// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.spi.kit;

import io.verbs4j.spi.ProviderAddressHandle;
import io.verbs4j.spi.ProviderContext;
import io.verbs4j.spi.ProviderProtectionDomain;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// A device played in memory: the kernel's answers to commands, and the device's end of the rings, read by offsets of
/// its own and not by the provider's. It has one queue pair, one completion queue and one shared receive queue at a
/// time: those made last.
public interface PlayedDevice extends AutoCloseable {
    /// Returns the provider's context over it.
    ProviderContext context();

    /// Returns a protection domain of the context.
    ProviderProtectionDomain domain();

    /// Returns the opcodes that a reliable connection of this device has, among those with buffers, as an
    /// [io.verbs4j.spi.ring.OpcodeSet].
    int operations();

    /// Returns those of them whose payload may be inline.
    int inlineOperations();

    /// Returns an address handle of the domain, or null if the device has no datagrams.
    @Nullable
    ProviderAddressHandle addressHandle();

    /// Sets how many elements the rings have that are made next, where the kernel decides it.
    ///
    /// @param slots the least number of elements
    /// @param elements buffers of a work request
    default void nextRings(int slots, int elements) {}

    /// Returns how many sends the device may take: 0 as long as a batch is not published.
    int waitingSends();

    /// Returns how many receives the device may take, from the shared receive queue if there is one.
    int waitingReceives();

    /// Takes the oldest send and leaves rubbish in its place where a device may. Writes its completion.
    ///
    /// @param status of the completion: 0, or 5 for flushed
    Element takeSend(int status);

    /// Takes the oldest receive as [#takeSend] does.
    ///
    /// @param bytes of the message
    Element takeReceive(int status, int bytes);

    /// Overwrites with rubbish what a device may write: indices, flags, completions.
    void writeRubbish(Random random);

    /// Returns a copy of all memory that provider and device share.
    byte[] memory();

    /// Fails if anything was written beside the rings.
    default void checkSurroundings() {}

    /// Lets the n-th call of the kernel from now on fail with `ENOMEM`; later ones succeed.
    ///
    /// @param nth 1 for the next
    void failCall(int nth);

    /// Returns whether the call that [#failCall] chose has come.
    boolean hasFailed();

    /// Returns what the kernel and the program have not given back: objects and mappings.
    List<String> left();

    /// Frees the memory.
    @Override
    void close();
}
