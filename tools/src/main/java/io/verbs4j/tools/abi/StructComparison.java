// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.abi;

import io.verbs4j.abi.btf.Btf;
import io.verbs4j.abi.btf.BtfStruct;
import io.verbs4j.abi.uapi.CStruct;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Result of comparing a struct of verbs4j with a kernel's.
///
/// @param module the module whose type information was used
/// @param struct the struct's name
/// @param isThere whether the kernel's type information contains the struct
/// @param differences one sentence per difference
/// @param unknown fields that the kernel lacks because it is older than our headers
public record StructComparison(
        String module, String struct, boolean isThere, List<String> differences, List<String> unknown) {
    /// Copies the lists.
    public StructComparison {
        differences = List.copyOf(differences);
        unknown = List.copyOf(unknown);
    }

    /// Compares structs.
    public static List<StructComparison> of(String module, Btf kernel, List<CStruct> structs) {
        var results = new ArrayList<StructComparison>();
        for (CStruct struct : structs) {
            Optional<BtfStruct> theirs = kernel.struct(struct.name());
            results.add(new StructComparison(
                    module,
                    struct.name(),
                    theirs.isPresent(),
                    theirs.map(other -> other.differences(struct.layout())).orElse(List.of()),
                    theirs.map(other -> other.unknown(struct.layout())).orElse(List.of())));
        }
        return results;
    }

    /// Returns whether there is no difference.
    public boolean isSame() {
        return differences.isEmpty();
    }

    @Override
    public String toString() {
        String what = module + ": " + struct + ": ";
        if (!isThere) {
            return what + "not in the kernel's type information";
        }
        if (!isSame()) {
            return what + "DIFFERENT: " + String.join("; ", differences);
        }
        return what + "same"
                + (unknown.isEmpty() ? "" : ", but the kernel lacks " + String.join(", ", unknown));
    }
}
