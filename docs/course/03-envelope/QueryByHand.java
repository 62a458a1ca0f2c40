// SPDX-License-Identifier: Apache-2.0
import io.verbs4j.*;
import io.verbs4j.abi.host.*;
import io.verbs4j.abi.uapi.*;
import java.lang.foreign.*;

void main() {
    try (var file = Host.current().open(Devices.find("rxe0").node());
            var arena = Arena.ofConfined()) {
        IO.println("get context: " + file.ioctl(command(arena, 3, 0)));
        var answer = IbUverbsQueryPortRespEx.STRUCT.allocate(arena);
        for (int port : new int[] {1, 2}) {
            var query = command(arena, 2, 2);                                    // QUERY_PORT
            attribute(query, 0, 0, 8, port);                                     // PORT_NUM, inline
            attribute(query, 1, 1, (int) answer.byteSize(), answer.address());   // RESP, a pointer
            IO.println("query port " + port + ": " + file.ioctl(query));
        }
        var fields = IbUverbsQueryPortRespEx.STRUCT.view(answer);
        for (String name : new String[] {"state", "active_mtu", "gid_tbl_len"}) {
            String path = "legacy_resp." + name;
            IO.println(path + " = " + fields.get(path));
        }
        IO.println("method 99: " + file.ioctl(command(arena, 99, 0)));
    }
}

MemorySegment command(Arena arena, int method, int attributes) {
    int length = IbUverbsIoctlHdr.STRUCT.size() + attributes * IbUverbsAttr.STRUCT.size();
    var command = arena.allocate(length, 8);
    IbUverbsIoctlHdr.STRUCT.view(command)
            .set("length", length)
            .set("object_id", UverbsObject.DEVICE.id())
            .set("method_id", method)
            .set("num_attrs", attributes)
            .set("driver_id", 14);
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
