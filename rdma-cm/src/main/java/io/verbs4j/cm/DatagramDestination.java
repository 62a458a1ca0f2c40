// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm;

import io.verbs4j.AddressHandle;
import io.verbs4j.ProtectionDomain;
import io.verbs4j.SendBatch;
import io.verbs4j.types.DatagramPath;

/// Destination of datagrams: a peer or a multicast group. Thread-safe.
///
/// @param handle the path; closed with the destination
/// @param queuePairNumber number of the peer's queue pair; [DatagramPath#MULTICAST] for a group
/// @param qkey the Q_Key that the receiving queue pair requires
public record DatagramDestination(AddressHandle handle, int queuePairNumber, int qkey) implements AutoCloseable {
    /// Creates the destination for the path of an event of the connection manager.
    public static DatagramDestination of(ProtectionDomain domain, DatagramPath path) {
        return new DatagramDestination(domain.createAddressHandle(path.path()), path.queuePairNumber(), path.qkey());
    }

    /// Addresses the next work request of the batch to this destination.
    ///
    /// @return the batch
    public SendBatch address(SendBatch batch) {
        return batch.to(handle, queuePairNumber, qkey);
    }

    /// Closes the address handle. Outstanding sends must have completed.
    @Override
    public void close() {
        handle.close();
    }
}
