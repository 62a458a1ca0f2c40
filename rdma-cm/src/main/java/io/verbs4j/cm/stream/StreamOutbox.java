// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

/// Receives the work requests of a stream's protocol. The protocol counts outstanding work requests, so there is always
/// room.
interface StreamOutbox {
    /// Posts receives without memory.
    void receive(int count);

    /// Posts an RDMA write with immediate data.
    ///
    /// @param id the identifier of the completion; [StreamProtocol#UNREPORTED] if the protocol needs a completion only
    ///     after a failure
    /// @param from source address in this end's memory
    /// @param to address in the peer's memory
    /// @param key rkey of the peer's memory
    void write(long id, long from, int length, long to, int key, int immediate);

    /// Posts an RDMA write without immediate data. The peer's program is not notified.
    ///
    /// @param id as in [#write]
    void writeSilently(long id, long from, int length, long to, int key);

    /// Posts an RDMA write of no bytes, with immediate data.
    void signal(long id, int immediate);
}
