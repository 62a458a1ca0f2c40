// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.abi;

import io.verbs4j.abi.catalogue.CStructs;
import io.verbs4j.abi.command.DriverAbi;
import io.verbs4j.abi.uapi.CStruct;
import io.verbs4j.spi.ProviderFactory;
import io.verbs4j.tools.common.ToolException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;

/// The structs of the core and of all available providers.
final class KnownStructs {
    /// Structs that are both an argument and an answer, or a part of both.
    private static final Set<String> IN_AND_OUT = Set.of(
            "ib_uverbs_qp_cap",
            "ib_uverbs_attr",
            "ib_uverbs_qp_dest",
            "rxe_queue_buf",
            "rxe_send_wqe",
            "rxe_dma_info",
            "pollfd");

    /// Answers whose names do not end like one.
    private static final Set<String> ANSWERS = Set.of(
            "ib_uverbs_gid_entry",
            "ib_uverbs_wc",
            "mminfo",
            "ib_uverbs_async_event_desc",
            "ib_uverbs_comp_event_desc",
            "nlmsgerr");

    private KnownStructs() {}

    /// Returns the drivers' additions to the ABI.
    static List<DriverAbi> drivers() {
        return ServiceLoader.load(ProviderFactory.class, KnownStructs.class.getClassLoader())
                .stream()
                .map(provider -> provider.get().abi())
                .filter(abi -> !abi.structs().isEmpty())
                .toList();
    }

    /// Returns all structs, those of the core first.
    static List<CStruct> all() {
        var all = new ArrayList<CStruct>(CStructs.all());
        drivers().forEach(driver -> all.addAll(driver.structs()));
        return all;
    }

    static CStruct named(String name) {
        List<CStruct> all = all();
        return all.stream()
                .filter(struct -> struct.name().equals(name))
                .findFirst()
                .orElseThrow(() -> {
                    List<String> similar = all.stream()
                            .map(CStruct::name)
                            .filter(other -> other.contains(name))
                            .toList();
                    return new ToolException(
                            "unknown struct: " + name,
                            similar.isEmpty() ? "'verbs abi list' lists all" : "is it one of " + similar + "?");
                });
    }

    /// Returns the writer of a struct.
    static String writer(CStruct struct) {
        String name = struct.name();
        if (IN_AND_OUT.contains(name)) {
            return "both";
        }
        boolean answer = ANSWERS.contains(name) || name.endsWith("_resp") || name.endsWith("_resp_ex")
                || name.endsWith("_caps");
        return answer ? "kernel" : "user";
    }
}
