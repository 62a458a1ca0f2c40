// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import io.verbs4j.abi.catalogue.CommandCatalogue;
import io.verbs4j.abi.device.DeviceFile;
import io.verbs4j.abi.device.EventFile;
import io.verbs4j.abi.queuepair.PostSendDoorbell;
import io.verbs4j.abi.uapi.IbUserVerbsCmd;
import io.verbs4j.abi.uapi.IbUverbsExQueryDeviceResp;
import io.verbs4j.types.Errno;
import java.lang.foreign.MemorySegment;

/// A device file that says yes to every command that comes by `write()`, and on which no event ever comes.
abstract class NullCommands implements DeviceFile {
    /// Writes the answer to a command. Initially it is zero.
    ///
    /// @param core the request, from the address of the answer on
    abstract void answer(IbUserVerbsCmd command, MemorySegment core, MemorySegment answer);

    @SuppressWarnings("restricted")
    static MemorySegment at(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    @Override
    public int ioctl(MemorySegment command) {
        return -Errno.ENOTTY;
    }

    @Override
    public int write(MemorySegment command) {
        int number = command.get(JAVA_INT, 0);
        int room = command.get(JAVA_SHORT, 6);
        MemorySegment core = command.asSlice(8);
        if (number == PostSendDoorbell.WRITE.number()) {
            return (int) command.byteSize();
        }
        if (number < 0) {
            queryDevice(at(core.get(JAVA_LONG, 0), room * 8L));
        } else if (room > 0) {
            answer(CommandCatalogue.write(number).orElseThrow(), core, at(core.get(JAVA_LONG, 0), room * 4L));
        }
        return (int) command.byteSize();
    }

    private static void queryDevice(MemorySegment answer) {
        var view = IbUverbsExQueryDeviceResp.STRUCT.view(answer);
        view.set("response_length", answer.byteSize())
                .set("base.phys_port_cnt", 1)
                .set("base.vendor_id", 0x2c9)
                .set("base.vendor_part_id", 4119); // ConnectX-5, which only the provider of mlx5 asks for
        for (String limit : new String[]{
                "max_qp", "max_qp_wr", "max_sge", "max_cq", "max_cqe", "max_mr", "max_pd", "max_srq", "max_srq_wr"}) {
            view.set("base." + limit, 1 << 14);
        }
    }

    @Override
    public void unmap(MemorySegment ring) {}

    @Override
    public int fileDescriptor() {
        return 3;
    }

    @Override
    public int await(long timeoutNanos) {
        return 0;
    }

    @Override
    public void wake() {}

    @Override
    public EventFile eventFile(int fileDescriptor) {
        return new EventFile() {
            @Override
            public int fileDescriptor() {
                return fileDescriptor;
            }

            @Override
            public int await(long timeoutNanos) {
                return 0;
            }

            @Override
            public int read(MemorySegment record) {
                return -Errno.EAGAIN;
            }

            @Override
            public void wake() {}

            @Override
            public void close() {}
        };
    }
}
