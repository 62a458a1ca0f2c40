// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.common;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.types.Gid;
import io.verbs4j.types.PortState;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class JsonTest {
    private record Port(int number, PortState state, Optional<String> netdev) {}

    @Test
    void recordsAreObjectsAndCodesTheirTexts() {
        assertThat(Json.line(new Port(1, PortState.ACTIVE, Optional.of("veth0"))))
                .isEqualTo("{\"number\":1,\"state\":\"ACTIVE\",\"netdev\":\"veth0\"}");
    }

    @Test
    void aGidIsItsText() {
        assertThat(Json.line(Map.of("gid", new Gid(0, 0xffff_0a09_0001L))))
                .isEqualTo("{\"gid\":\"0000:0000:0000:0000:0000:ffff:0a09:0001\"}");
    }

    @Test
    void emptyValuesAreNull() {
        assertThat(Json.line(Arrays.asList(
                null,
                Optional.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                Double.NaN,
                Double.POSITIVE_INFINITY)))
                .isEqualTo("[null,null,null,null,null,null]");
    }

    @Test
    void longsAreUnsigned() {
        assertThat(Json.line(List.of(-1L, OptionalLong.of(5), -1, 2.5, true)))
                .isEqualTo("[18446744073709551615,5,-1,2.5,true]");
    }

    @Test
    void textsAreEscaped() {
        assertThat(Json.line("a\"b\\c\n\t\u0001→")).isEqualTo("\"a\\\"b\\\\c\\n\\t\\u0001\\u2192\"");
    }

    @Test
    void prettyIsIndented() {
        var map = new LinkedHashMap<String, Object>();
        map.put("list", List.of(1, Map.of("a", "b")));
        map.put("none", List.of());
        map.put("nothing", Map.of());
        assertThat(Json.pretty(map)).isEqualTo("""
            {
              "list": [
                1,
                {
                  "a": "b"
                }
              ],
              "none": [],
              "nothing": {}
            }""");
    }

    @Test
    void tablesAlignTheirColumns() {
        var out = new StringWriter();
        new Table("port", "value").row("rxe0/1", "17").row("x", "").print(new PrintWriter(out, true));
        assertThat(out.toString()).isEqualTo("port    value\nrxe0/1  17\nx\n");
    }
}
