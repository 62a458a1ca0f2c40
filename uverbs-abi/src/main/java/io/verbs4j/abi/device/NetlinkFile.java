// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.device;

import java.lang.foreign.MemorySegment;

/// A socket to the kernel's RDMA netlink family. For one thread at a time.
public interface NetlinkFile extends AutoCloseable {
    /// Sends one message.
    ///
    /// @return the number of bytes, or a negated errno
    int send(MemorySegment message);

    /// Receives one datagram, which contains one or more messages.
    ///
    /// @return the number of bytes, or a negated errno
    int receive(MemorySegment buffer);

    @Override
    void close();
}
