// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static io.verbs4j.abi.uapi.CStruct.u32;
import static io.verbs4j.abi.uapi.CStruct.u64;

import io.verbs4j.types.AsyncEventType;
import java.lang.foreign.MemorySegment;

/// `struct ib_uverbs_async_event_desc` (include/uapi/rdma/ib_user_verbs.h): one asynchronous event: the result of a
/// `read()` of their file descriptor. Written by the kernel.
public final class IbUverbsAsyncEventDesc {
    /// The struct.
    public static final CStruct STRUCT = CStruct.of(
            UapiHeader.IB_USER_VERBS,
            "ib_uverbs_async_event_desc",
            u64("element",
                    "user_handle of the queue pair, completion queue or shared receive queue, or number of the port"),
            u32("event_type", "enum ib_event_type: AsyncEventType"),
            u32("reserved"));

    private IbUverbsAsyncEventDesc() {}

    /// Returns the event's subject: the user handle of a queue pair, completion queue or shared receive queue, or a
    /// port's number, depending on the type.
    public static long element(MemorySegment memory) {
        return STRUCT.view(memory).get("element");
    }

    /// Returns the kind of event.
    public static AsyncEventType eventType(MemorySegment memory) {
        return new AsyncEventType(STRUCT.view(memory).getInt("event_type"));
    }
}
