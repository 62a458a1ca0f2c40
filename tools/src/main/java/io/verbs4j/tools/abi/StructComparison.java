// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.abi;

import io.verbs4j.abi.btf.Btf;
import io.verbs4j.abi.btf.BtfStruct;
import io.verbs4j.abi.uapi.CStruct;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Comparison of one of our structs with a kernel's.
///
/// @param module whose type information it was compared with
/// @param struct its name
/// @param isThere whether the kernel's type information has it
/// @param differences a sentence for each
/// @param unknown fields that the kernel does not have: it is older than our headers
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

    /// Returns whether nothing differs.
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
                + (unknown.isEmpty() ? "" : ", but the kernel does not have " + String.join(", ", unknown));
    }
}
