// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.abi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.btf.Btf;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import io.verbs4j.tools.abi.AbiCommand;
import io.verbs4j.tools.abi.StructComparison;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// `verbs abi check` and `verbs abi diff` on the type information of the running kernel.
@DeviceTest
@RealKernel("the type information of the running kernel")
@Needs.EachKernel
class AbiCheckIT {
    private static final Path KERNEL = Path.of("/sys/kernel/btf");

    private final StringWriter output = new StringWriter();

    private int run(String... arguments) {
        var writer = new PrintWriter(output, true);
        return new CommandLine(new AbiCommand()).setOut(writer).setErr(writer).execute(arguments);
    }

    @Test
    void theRunningKernelIsAsWeDescribeIt() {
        assertThat(run("check")).as(output::toString).isZero();
        assertThat(output.toString()).contains("rdma_rxe: rxe_send_wqe: same", " 0 different");
    }

    @Test
    void aLayoutThatWasChangedByHandIsFound() throws IOException {
        CStruct wrong = CStruct.of(
                "include/uapi/rdma/rdma_user_rxe.h",
                "rxe_sge",
                CStruct.u64("addr"),
                CStruct.u32("lkey"),
                CStruct.u32("length"));
        List<StructComparison> results =
                StructComparison.of("rdma_rxe", Btf.ofRunningKernel("rdma_rxe"), List.of(wrong));
        assertThat(results).singleElement().satisfies(result -> {
            assertThat(result.isSame()).isFalse();
            assertThat(result.toString()).contains("rxe_sge.lkey is at 8 with 4 bytes here, and at 12");
        });
    }

    /// The other way round: our layouts are right, the kernel's are not.
    @Test
    void aKernelThatWasChangedByHandIsFound(@TempDir Path folder) throws IOException {
        Files.createSymbolicLink(folder.resolve("vmlinux"), KERNEL.resolve("vmlinux"));
        Files.createSymbolicLink(folder.resolve("ib_uverbs"), KERNEL.resolve("ib_uverbs"));
        byte[] module = Files.readAllBytes(KERNEL.resolve("rdma_rxe"));
        moveLastMemberOfSizedStruct(module, 40, 4); // struct rxe_recv_wqe, and others of its size, if there are any
        Files.write(folder.resolve("rdma_rxe"), module);
        assertThat(run("check", "--btf", folder.toString())).as(output::toString).isEqualTo(1);
        assertThat(output.toString()).contains("rxe_recv_wqe: DIFFERENT");
        assertThat(run("diff", KERNEL.resolve("rdma_rxe").toString(), folder.resolve("rdma_rxe").toString()))
                .isEqualTo(1);
        assertThat(output.toString()).contains("rxe_recv_wqe.dma: at 16, 24 bytes, and at ");
    }

    @Test
    void aKernelDoesNotDifferFromItself() {
        String module = KERNEL.resolve("rdma_rxe").toString();
        assertThat(run("diff", module, module)).as(output::toString).isZero();
        assertThat(output.toString()).contains(", 0 differences");
    }

    /// Moves the last member of each struct with this size and number of members by 8 bits (`struct btf_type`: name,
    /// info, size; then for each member name, type, offset in bits).
    private static void moveLastMemberOfSizedStruct(byte[] btf, int size, int members) {
        ByteBuffer data = ByteBuffer.wrap(btf).order(ByteOrder.LITTLE_ENDIAN);
        int start = data.getInt(4) + data.getInt(8);
        int end = start + data.getInt(12);
        int structInfo = (4 << 24) | members;
        int moved = 0;
        for (int at = start; at + 12 + 12 * members <= end; at += 4) {
            if (data.getInt(at + 4) == structInfo && data.getInt(at + 8) == size) {
                int offset = at + 12 + 12 * (members - 1) + 8;
                data.putInt(offset, data.getInt(offset) + 8);
                moved++;
            }
        }
        assertThat(moved).as("structs of " + size + " bytes").isPositive();
    }
}
