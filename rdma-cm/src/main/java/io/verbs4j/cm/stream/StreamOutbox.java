// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.cm.stream;

/// Takes the work requests of a stream's protocol. The protocol counts its work, so there is always room for what it posts.
interface StreamOutbox {
    /// Posts receives without memory.
    void receive(int count);

    /// Posts an RDMA write with immediate data.
    ///
    /// @param id what the completion carries
    /// @param from address in this end's memory to send from
    /// @param to address in the peer's memory
    /// @param key the rkey there
    void write(long id, long from, int length, long to, int key, int immediate);

    /// Posts an RDMA write without immediate data, of which the peer's program is not notified.
    void writeSilently(long id, long from, int length, long to, int key);

    /// Posts an RDMA write of no bytes, with immediate data.
    void signal(long id, int immediate);
}
