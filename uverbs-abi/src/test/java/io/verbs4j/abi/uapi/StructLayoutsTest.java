// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.abi.uapi;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.abi.UapiFixture;
import io.verbs4j.abi.catalogue.CStructs;
import io.verbs4j.abi.memory.RegisterMemory;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Compares every struct with gcc's layout from the kernel's headers, in both directions.
class StructLayoutsTest {
    private static final UapiFixture FIXTURE = UapiFixture.read();

    static Collection<CStruct> structs() {
        return CStructs.all();
    }

    @ParameterizedTest
    @MethodSource("structs")
    void layoutIsThatOfTheCompiler(CStruct struct) {
        FIXTURE.assertSame(struct);
    }

    @Test
    void everyStructOfTheOracleThatIsNotTheDriversIsDescribed() {
        List<String> ours = CStructs.all().stream().map(CStruct::name).toList();
        List<String> theirs = FIXTURE.sizes.keySet()
                .stream()
                .filter(name -> !name.startsWith("rxe_") && !name.startsWith("siw_") && !name.equals("mminfo")
                        && !name.equals("ib_uverbs_wc"))
                .toList();
        assertThat(ours).containsExactlyInAnyOrderElementsOf(theirs).doesNotHaveDuplicates();
    }

    @Test
    void aStructIsFoundByItsCName() {
        assertThat(CStructs.named("ib_uverbs_reg_mr")).contains(RegisterMemory.REQUEST);
        assertThat(CStructs.named("ib_uverbs_nothing")).isEmpty();
    }
}
