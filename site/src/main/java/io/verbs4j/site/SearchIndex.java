// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.site;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/// Writes the index for the search: a script that sets one array, so that it works without a server.
final class SearchIndex {
    private static final Pattern TYPE = Pattern.compile("\\{\"p\":\"([\\w.]+)\",\"l\":\"([\\w.]+)\"");

    private final List<String> entries = new ArrayList<>();

    void add(Article article) {
        for (Article.Section section : article.sections()) {
            String title = section.level() == 1 ? article.title() : article.title() + " › " + section.title();
            add(article.page() + (section.level() == 1 ? "" : "#" + section.anchor()), title, section.text());
        }
    }

    /// Types, from the index that Javadoc makes for its own search.
    ///
    /// @param modules where each package is: the module by the package's name
    /// @return how many there were
    int addTypes(String javadocIndex, Map<String, String> modules) {
        int count = 0;
        for (var found : TYPE.matcher(javadocIndex).results().toList()) {
            String name = found.group(1);
            String path = modules.get(name) + "/" + name.replace('.', '/') + "/" + found.group(2) + ".html";
            add(Places.API + path, "API › " + found.group(2), name + "." + found.group(2));
            count++;
        }
        return count;
    }

    private void add(String address, String title, String text) {
        entries.add("[" + quoted(address) + "," + quoted(title) + "," + quoted(text.replaceAll("\\s+", " ")) + "]");
    }

    private static String quoted(String text) {
        var quoted = new StringBuilder("\"");
        text.chars().forEach(letter -> {
            switch (letter) {
                case '"', '\\' -> quoted.append('\\').append((char) letter);
                default -> {
                    if (letter < ' ' || letter == '<' || letter == '\u2028' || letter == '\u2029') {
                        quoted.append(String.format(Locale.ROOT, "\\u%04x", letter));
                    } else {
                        quoted.append((char) letter);
                    }
                }
            }
        });
        return quoted.append('"').toString();
    }

    String script() {
        return "window.searchIndex = [\n" + String.join(",\n", entries) + "\n];\n";
    }
}
