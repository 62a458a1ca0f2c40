// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.command;

/// The verbs, and the steps around them that can fail, by the names that errors give them.
public enum Verb {
    /// `open(2)` of the device node.
    OPEN_DEVICE("open device"),
    /// Getting the context of an open device.
    GET_CONTEXT("get context"),
    /// Asking for the device's limits.
    QUERY_DEVICE("query device"),
    /// Asking for a port's state.
    QUERY_PORT("query port"),
    /// Asking for all GIDs.
    QUERY_GID_TABLE("query GID table"),
    /// Asking for one GID.
    QUERY_GID_ENTRY("query GID entry"),
    /// Allocating a protection domain.
    ALLOCATE_PROTECTION_DOMAIN("allocate protection domain"),
    /// Giving a protection domain back.
    DEALLOCATE_PROTECTION_DOMAIN("deallocate protection domain"),
    /// Registering memory.
    REGISTER_MEMORY("register memory"),
    /// Changing a memory region.
    REREGISTER_MEMORY("reregister memory"),
    /// Deregistering memory.
    DEREGISTER_MEMORY("deregister memory"),
    /// Telling how on-demand memory will be used.
    ADVISE_MEMORY("advise memory"),
    /// Asking for a memory region's keys.
    QUERY_MEMORY("query memory"),
    /// Allocating a memory window.
    ALLOCATE_MEMORY_WINDOW("allocate memory window"),
    /// Giving a memory window back.
    DEALLOCATE_MEMORY_WINDOW("deallocate memory window"),
    /// Creating an address handle.
    CREATE_ADDRESS_HANDLE("create address handle"),
    /// Destroying an address handle.
    DESTROY_ADDRESS_HANDLE("destroy address handle"),
    /// Creating a completion channel.
    CREATE_COMPLETION_CHANNEL("create completion channel"),
    /// Creating a completion queue.
    CREATE_COMPLETION_QUEUE("create completion queue"),
    /// Changing the size of a completion queue.
    RESIZE_COMPLETION_QUEUE("resize completion queue"),
    /// Arming a completion queue.
    REQUEST_NOTIFICATION("request notification"),
    /// Destroying a completion queue.
    DESTROY_COMPLETION_QUEUE("destroy completion queue"),
    /// Creating a shared receive queue.
    CREATE_SHARED_RECEIVE_QUEUE("create shared receive queue"),
    /// Changing a shared receive queue.
    MODIFY_SHARED_RECEIVE_QUEUE("modify shared receive queue"),
    /// Asking for a shared receive queue's attributes.
    QUERY_SHARED_RECEIVE_QUEUE("query shared receive queue"),
    /// Destroying a shared receive queue.
    DESTROY_SHARED_RECEIVE_QUEUE("destroy shared receive queue"),
    /// Creating a queue pair.
    CREATE_QUEUE_PAIR("create queue pair"),
    /// Changing a queue pair's attributes.
    MODIFY_QUEUE_PAIR("modify queue pair"),
    /// Asking for a queue pair's attributes.
    QUERY_QUEUE_PAIR("query queue pair"),
    /// Destroying a queue pair.
    DESTROY_QUEUE_PAIR("destroy queue pair"),
    /// Posting sends: the doorbell.
    POST_SEND("post send"),
    /// Joining a multicast group.
    ATTACH_MULTICAST("attach multicast"),
    /// Leaving a multicast group.
    DETACH_MULTICAST("detach multicast"),
    /// `mmap(2)` of a ring.
    MAP_RING("map ring"),
    /// Waiting for an event.
    AWAIT_EVENT("await event"),
    /// Asking RDMA netlink.
    RDMA_NETLINK("ask RDMA netlink"),
    /// Making a software device.
    ADD_LINK("add link"),
    /// Deleting a software device.
    DELETE_LINK("delete link"),
    /// Capturing packets.
    CAPTURE_PACKETS("capture packets"),
    /// Letting a network interface join an IP multicast group.
    JOIN_IP_GROUP("join IP group");

    private final String operation;

    Verb(String operation) {
        this.operation = operation;
    }

    /// The name for people, such as `create completion queue`.
    public String operation() {
        return operation;
    }
}
