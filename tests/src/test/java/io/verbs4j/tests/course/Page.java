// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.course;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

/// The text of a chapter with its generated blocks: `<!-- listing Name.java -->` or `<!-- output Name.java -->`, a
/// fenced block, and `<!-- end -->`.
final class Page {
    private static final Pattern BLOCK = Pattern.compile(
            "<!-- (listing|output) (\\w+)\\.java -->\\n(?:```\\w*\\n(.*?)```\\n)?<!-- end -->\\n", Pattern.DOTALL);

    /// A block.
    ///
    /// @param kind `listing` or `output`
    /// @param program the program's name
    /// @param text the contents
    record Block(String kind, String program, String text) {}

    private final String text;

    Page(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    List<Block> blocks() {
        var blocks = new ArrayList<Block>();
        BLOCK.matcher(text)
                .results()
                .forEach(found -> blocks.add(
                        new Block(found.group(1), found.group(2), found.group(3) == null ? "" : found.group(3))));
        return blocks;
    }

    /// Returns what stands in the blocks of a program, in order.
    List<String> blocks(String kind, String program) {
        return blocks().stream()
                .filter(block -> block.kind.equals(kind) && block.program.equals(program))
                .map(Block::text)
                .toList();
    }

    /// The page with other texts in its blocks.
    Page with(Function<Block, String> texts) {
        return new Page(BLOCK.matcher(text).replaceAll(found -> {
            String kind = found.group(1);
            String old = found.group(3) == null ? "" : found.group(3);
            String fresh = texts.apply(new Block(kind, found.group(2), old));
            String language = kind.equals("listing") ? "java" : "";
            return java.util.regex.Matcher.quoteReplacement("<!-- " + kind + " " + found.group(2) + ".java -->\n```"
                    + language + "\n" + fresh + "```\n<!-- end -->\n");
        }));
    }
}
