// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.site;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Marks the words of Java and of shell commands in blocks of code, when the site is written: a page needs no script
/// for it.
final class Highlight {
    private static final Pattern JAVA = Pattern.compile(
            """
                (?<comment>//[^\\n]*|/\\*.*?\\*/)\
                |(?<string>\"\"\".*?\"\"\"|"(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\\\n])+')\
                |(?<number>\\b(?:0[xX][0-9a-fA-F_]+|\\d[\\d_]*(?:\\.\\d+)?)[lLdDfF]?\\b)\
                |(?<mark>@\\w+)\
                |(?<key>\\b(?:abstract|assert|boolean|break|byte|case|catch|char|class|continue|default|do|double|else|enum|extends|\
                false|final|finally|float|for|if|implements|import|instanceof|int|interface|long|module|new|null|package|permits|\
                private|protected|public|record|requires|return|sealed|short|static|super|switch|synchronized|this|throw|throws|\
                transient|true|try|var|void|volatile|when|while|yield)\\b)""",
            Pattern.DOTALL);

    private static final Pattern SHELL = Pattern.compile("""
        (?<comment>(?<=^|\\s)\\#[^\\n]*)\
        |(?<string>"(?:\\\\.|[^"\\\\])*"|'[^']*')\
        |(?<number>\\$\\{?\\w+\\}?)\
        |(?<mark>(?<=\\s)--?[A-Za-z][\\w-]*)\
        |(?<key>(?<=^|\\n|\\|\\s|&&\\s)(?:\\$\\s)?[\\w./-]+)""", Pattern.COMMENTS | Pattern.MULTILINE);

    /// Beginnings of the commands in this project's documents.
    private static final Pattern COMMAND = Pattern.compile(
            "(?:\\$ |sudo |cd |git |ip |java |javac |jlink |mvn |\\./mvnw |modprobe |mount |rdma |tools/|\\.ci/|apt-get |echo |for )"
                    + ".*|#.*|\\s.*|");
    private static final Pattern DRAWING = Pattern.compile("[│┌┐└┘├┤─→←]|\\+--");
    private static final String[] KINDS = {"comment", "string", "number", "mark", "key"};

    private Highlight() {}

    /// A block as HTML.
    ///
    /// @param language what the document says of it, empty if nothing
    static String html(String language, String code) {
        Pattern words =
                language.equals("java") || language.equals("kotlin") ? JAVA : isCommands(language, code) ? SHELL : null;
        String kind =
                words == null ? DRAWING.matcher(code).find() ? "drawing" : "text" : words == SHELL ? "shell" : language;
        return "<pre class=\"" + PageFrame.escaped(kind) + "\"><code"
                + (language.isEmpty() ? "" : " class=\"language-" + PageFrame.escaped(language) + "\"") + ">"
                + marked(words, code) + "</code></pre>\n";
    }

    /// Returns whether each line is a command, a comment or goes on from the line before.
    private static boolean isCommands(String language, String code) {
        return language.equals("sh") || language.equals("shell")
                || (language.isEmpty() && !code.isBlank() && !Character.isWhitespace(code.charAt(0))
                        && code.lines().allMatch(line -> COMMAND.matcher(line).matches()));
    }

    private static String marked(@Nullable Pattern words, String code) {
        if (words == null) {
            return PageFrame.escaped(code);
        }
        var html = new StringBuilder();
        int done = 0;
        Matcher found = words.matcher(code);
        while (found.find()) {
            html.append(PageFrame.escaped(code.substring(done, found.start())))
                    .append("<span class=\"")
                    .append(kind(found))
                    .append("\">")
                    .append(PageFrame.escaped(found.group()))
                    .append("</span>");
            done = found.end();
        }
        return html.append(PageFrame.escaped(code.substring(done))).toString();
    }

    private static String kind(Matcher found) {
        for (String kind : KINDS) {
            if (found.group(kind) != null) {
                return kind;
            }
        }
        throw new AssertionError("a match is of a kind");
    }
}
