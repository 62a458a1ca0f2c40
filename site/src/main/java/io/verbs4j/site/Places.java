// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.site;

import java.nio.file.Path;
import java.util.Locale;

/// Places of the repository's files in the site. All paths are relative and written with `/`.
final class Places {
    static final String API = "api/";

    private Places() {}

    /// The page of a Markdown file: the README is the home page, and files below `docs` lose that folder.
    static String page(String markdown) {
        if (markdown.equals(Navigation.INDEX)) {
            return "documentation.html"; // since the README is index.html
        }
        String path = markdown.startsWith("docs/") ? markdown.substring("docs/".length()) : markdown;
        if (path.endsWith("README.md")) {
            return path.substring(0, path.length() - "README.md".length()) + "index.html";
        }
        return path.substring(0, path.length() - ".md".length()).toLowerCase(Locale.ROOT) + ".html";
    }

    /// The copy of an image.
    static String image(String file) {
        return file.startsWith("docs/") ? file.substring("docs/".length()) : file;
    }

    /// The page that shows any other file.
    static String source(String file) {
        return "source/" + file + ".html";
    }

    /// The file that a link means.
    ///
    /// @param from the file that has the link
    static String resolve(String from, String link) {
        return Path.of("/" + from).resolveSibling(link).normalize().toString().substring(1);
    }

    /// Returns what a page writes to get to another.
    static String relative(String from, String to) {
        return Path.of("/" + from).resolveSibling("").relativize(Path.of("/" + to)).toString();
    }

    /// Returns what a page writes in front of a path from the site's root: `` or `../` as often as it takes.
    static String root(String page) {
        return "../".repeat((int) page.chars().filter(letter -> letter == '/').count());
    }
}
