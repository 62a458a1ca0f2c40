// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.abi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.btf.Btf;
import io.verbs4j.abi.catalogue.CStructs;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.rxe.RxeStructs;
import io.verbs4j.tests.support.DeviceTest;
import io.verbs4j.tests.support.Needs;
import io.verbs4j.tests.support.RealKernel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/// Compares our layouts of the structs shared with the kernel with the types that the running kernel was built from.
@DeviceTest
@RealKernel("the type information of the running kernel")
@Needs.EachKernel
class RunningKernelLayoutsIT {
    private static final String CONNECTION_MANAGER = CStructs.named("rdma_ucm_create_id").orElseThrow().header();

    @Test
    void ofTheRingsAreThoseOfTheRxeModule() throws IOException {
        assertSame(Btf.ofRunningKernel("rdma_rxe"), RxeStructs.all(), RxeStructs.all().size());
    }

    @Test
    void ofTheCommandsAreThoseOfTheUverbsModule() throws IOException {
        assertSame(Btf.ofRunningKernel("ib_uverbs"),
                header -> header.contains("/rdma/") && !header.equals(CONNECTION_MANAGER));
    }

    @Test
    void ofTheConnectionManagersCommandsAreThoseOfItsModule() throws IOException {
        assertSame(Btf.ofRunningKernel("rdma_ucm"), CONNECTION_MANAGER::equals);
    }

    private static void assertSame(Btf kernel, Predicate<String> header) {
        List<CStruct> commands = CStructs.all().stream().filter(struct -> header.test(struct.header())).toList();
        // A struct that the kernel's code never touches has left no trace in its types.
        assertSame(kernel, commands, commands.size() * 3 / 4);
    }

    private static void assertSame(Btf kernel, List<CStruct> structs, int atLeast) {
        var differences = new ArrayList<String>();
        int compared = 0;
        for (CStruct struct : structs) {
            var theirs = kernel.struct(struct.name());
            if (theirs.isPresent()) {
                compared++;
                differences.addAll(theirs.get().differences(struct.layout()));
            }
        }
        assertThat(differences).isEmpty();
        assertThat(compared).as("structs that the kernel knows").isGreaterThanOrEqualTo(atLeast);
    }
}
