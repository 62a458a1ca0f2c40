// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.verbs4j.abi.KernelCall;
import io.verbs4j.abi.KernelSide;
import io.verbs4j.abi.queuepair.PostSendDoorbell;
import io.verbs4j.abi.uapi.CView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The kernel's side of a device without effect. It accepts every command, notes nothing, and raises no event. The
/// doorbell costs nothing.
abstract class NullKernel extends KernelSide {
    /// Contains the rings.
    final Arena arena = Arena.ofShared();

    NullKernel(int driver) {
        super(driver);
        keepsCommands = false;
    }

    /// Answers a command other than `query device`.
    abstract void script(KernelCall call);

    @Override
    protected final int answer(KernelCall call) {
        if (call.operation().equals("query device")) {
            limits(call.response());
        } else {
            script(call);
        }
        return 0;
    }

    private static void limits(CView answer) {
        answer.set("response_length", answer.memory().byteSize())
                .set("base.phys_port_cnt", 1)
                .set("base.vendor_id", 0x2c9)
                .set("base.vendor_part_id", 4119); // ConnectX-5, which only the provider of mlx5 asks for
        for (String limit : new String[]{
                "max_qp", "max_qp_wr", "max_sge", "max_cq", "max_cqe", "max_mr", "max_pd", "max_ah", "max_srq",
                "max_srq_wr"}) {
            answer.set("base." + limit, 1 << 14);
        }
    }

    @Override
    protected final boolean happens(String operation) {
        return true;
    }

    @Override
    public final int write(MemorySegment command) {
        return command.get(JAVA_INT, 0) == PostSendDoorbell.WRITE.number()
                ? (int) command.byteSize()
                : super.write(command);
    }

    @Override
    public final void unmap(MemorySegment ring) {}

    @Override
    public final void close() {
        super.close();
        arena.close();
    }
}
