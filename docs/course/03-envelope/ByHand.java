// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.abi.host.*;
import io.verbs4j.abi.uapi.*;
import java.lang.foreign.*;

void main() {
    try (var file = Host.current().open(Devices.find("rxe0").node());
            var arena = Arena.ofConfined()) {
        // GET_CONTEXT without attributes: 24 bytes of header are a whole command.
        var open = command(arena, UverbsObject.DEVICE.id(), 3, 0);
        IO.println("get context: " + file.ioctl(open));

        // ALLOC_PD is a write command, carried by the method INVOKE_WRITE of the object DEVICE.
        var answer = arena.allocate(4);
        var alloc = command(arena, UverbsObject.DEVICE.id(), 0, 3);
        attribute(alloc, 0, 2, 8, 3);                     // WRITE_CMD: IB_USER_VERBS_CMD_ALLOC_PD is 3
        attribute(alloc, 1, 0, 8, 0);                     // CORE_IN: ib_uverbs_alloc_pd, 8 bytes, inline
        attribute(alloc, 2, 1, 4, answer.address());      // CORE_OUT: where ib_uverbs_alloc_pd_resp goes
        dump("before", alloc);
        IO.println("allocate protection domain: " + file.ioctl(alloc));
        dump("after", alloc);
        int handle = answer.get(ValueLayout.JAVA_INT, 0);
        IO.println("pd_handle " + handle);

        // PD_DESTROY is a method of the object PD, and its only attribute is the handle.
        var destroy = command(arena, UverbsObject.PD.id(), 0, 1);
        attribute(destroy, 0, 0, 0, handle);
        IO.println("destroy it: " + file.ioctl(destroy));
        IO.println("destroy it again: " + file.ioctl(destroy));
    }
}

MemorySegment command(Arena arena, int object, int method, int attributes) {
    int length = IbUverbsIoctlHdr.STRUCT.size() + attributes * IbUverbsAttr.STRUCT.size();
    var command = arena.allocate(length, 8);
    IbUverbsIoctlHdr.STRUCT.view(command)
            .set("length", length)
            .set("object_id", object)
            .set("method_id", method)
            .set("num_attrs", attributes)
            .set("driver_id", 14);                        // RDMA_DRIVER_RXE
    return command;
}

void attribute(MemorySegment command, int index, int id, int length, long data) {
    int offset = IbUverbsIoctlHdr.STRUCT.size() + index * IbUverbsAttr.STRUCT.size();
    IbUverbsAttr.STRUCT.view(command.asSlice(offset))
            .set("attr_id", id)
            .set("len", length)
            .set("flags", IbUverbsAttr.MANDATORY)
            .set("data", data);
}

void dump(String title, MemorySegment command) {
    IO.println(title);
    var attribute = IbUverbsAttr.STRUCT;
    for (int at = IbUverbsIoctlHdr.STRUCT.size(); at < command.byteSize(); at += attribute.size()) {
        var view = attribute.view(command.asSlice(at));
        IO.println("  +%d attr_id = %d len = %d flags = %d data = 0x%x".formatted(
                at, view.get("attr_id"), view.get("len"), view.get("flags"), view.get("data")));
    }
}
