// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.AddressHandle;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.SendBatch;
import io.verbs4j.types.DatagramPath;

/// Destination of datagrams: a peer, or a multicast group. Thread-safe.
///
/// @param handle the path; belongs to the destination
/// @param queuePairNumber of the peer; [DatagramPath#MULTICAST] for a group
/// @param qkey what the receiving queue pair demands
public record DatagramDestination(AddressHandle handle, int queuePairNumber, int qkey) implements AutoCloseable {
    /// Makes the destination that an event of the connection manager names.
    public static DatagramDestination of(ProtectionDomain domain, DatagramPath path) {
        return new DatagramDestination(domain.createAddressHandle(path.path()), path.queuePairNumber(), path.qkey());
    }

    /// Sends the work requests that follow in the batch here.
    ///
    /// @return the batch
    public SendBatch address(SendBatch batch) {
        return batch.to(handle, queuePairNumber, qkey);
    }

    /// Closes the address handle. Sends that are under way must have completed.
    @Override
    public void close() {
        handle.close();
    }
}
