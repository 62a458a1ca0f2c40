// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.course;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A program's output without values that differ from run to run. Such a number is replaced by its kind and the rank of
/// its first occurrence. Two outputs are equal only if equal numbers are in the same places: `qp#17 … qp#18 … qp#17`
/// equals `qp#40 … qp#41 … qp#40`, but not `qp#40 … qp#41 … qp#41`.
final class Output {
    private record Varying(String kind, Pattern pattern) {
        Varying(String kind, String regex) {
            this(kind, Pattern.compile(regex));
        }
    }

    /// Holds what differs; the group `value` is what is replaced. Order matters: the first that fits takes it.
    private static final List<Varying> VARYING = List.of(
            new Varying("time", "(?<value> *\\d+\\.\\d{3} ms)"),
            new Varying("time", "\\btimeout=(?<value>\\d+ ns)"),
            new Varying("address", "(?<value>0x[0-9a-f]{9,16})\\b"),
            new Varying("key", "\\b(?:lkey|rkey|mr_lkey|mw_rkey|key)(?: = |=| )(?<value>0x[0-9a-f]+)"),
            new Varying("qpn", "\\bqp#(?<value>\\d+)"),
            new Varying("qpn", "\\bqueue pair (?<value>\\d+)"),
            new Varying("qpn", "\\b(?:QPN|qpn|dest_qp_num|qp_num|src_qp)(?: = |=| )0x(?<value>[0-9a-f]{6})\\b"),
            new Varying("psn", "\\b(?:PSN|rq_psn|sq_psn|first_psn|last_psn)(?: = |=| )(?<value>0x[0-9a-f]{6})\\b"),
            new Varying("offset", "\\boffset(?: = |=)(?<value>0x[0-9a-f]+)"),
            new Varying("fd", "\\bfd (?<value>\\d+)"),
            new Varying("gid", "\\b(?<value>fe80:[0-9a-f:]+)"));

    /// Bytes in front of a field whose value was replaced are that value once more.
    private static final Pattern BYTES = Pattern.compile("(?m)^( +\\+\\d+ )(?:[0-9a-f]{2} )+( *\\S+ = ‹)");

    private Output() {}

    static String normalized(String output) {
        String text = output;
        var ranks = new HashMap<String, Map<String, Integer>>();
        for (Varying varying : VARYING) {
            Map<String, Integer> seen = ranks.computeIfAbsent(varying.kind, _ -> new HashMap<>());
            Matcher matcher = varying.pattern.matcher(text);
            var replaced = new StringBuilder();
            int end = 0;
            while (matcher.find()) {
                String value = matcher.group("value");
                String name = varying.kind.equals("time")
                        ? "‹time›"
                        : "‹" + varying.kind + " " + seen.computeIfAbsent(canonical(value), _ -> seen.size() + 1) + "›";
                replaced.append(text, end, matcher.start("value")).append(name);
                end = matcher.end("value");
            }
            text = replaced.append(text.substring(end)).toString();
        }
        return BYTES.matcher(text).replaceAll("$1‹bytes› $2");
    }

    /// Queue pair numbers are written in two ways: `qp#17` and `0x000011`.
    private static String canonical(String value) {
        return value.matches("[0-9a-f]{6}") ? Integer.toString(Integer.parseInt(value, 16)) : value;
    }
}
