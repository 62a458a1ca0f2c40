// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.site;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Writes the column beside each page: all articles, grouped as the index page groups them.
final class Navigation {
    /// The page whose sections are the groups, and whose links are their order.
    static final String INDEX = "docs/README.md";

    private static final String COURSE = "docs/course/";
    private static final Pattern SECTION =
            Pattern.compile("^## ([^:\\n]+).*|\\]\\(([^)#]+\\.md)\\)", Pattern.MULTILINE);

    /// A group of articles under a title.
    record Group(String title, List<Article> articles) {}

    private final List<Group> groups = new ArrayList<>();
    private final List<Article> course;

    /// @param articles all of them
    /// @param index the text of the index page
    Navigation(List<Article> articles, String index) {
        course = in(articles, COURSE);
        groups.add(new Group("", articles.stream().filter(Navigation::isHome).toList()));
        var left = new LinkedHashMap<String, Article>();
        articles.stream().filter(article -> !isHome(article)).forEach(article -> left.put(article.file(), article));
        sections(index).forEach((title, files) -> {
            var found = new ArrayList<Article>();
            for (String file : files) {
                Article article = left.remove(file);
                if (article != null) {
                    found.add(article);
                    String folder = folder(file);
                    in(articles, folder).stream().filter(left::containsValue).forEach(found::add);
                    left.keySet().removeIf(other -> other.startsWith(folder));
                }
            }
            groups.add(new Group(title, found));
        });
        groups.add(new Group("Project", List.copyOf(left.values())));
    }

    /// The folder whose pages stand below a page: a README's own, or the one with the page's name.
    private static String folder(String file) {
        return file.endsWith("/README.md")
                ? file.substring(0, file.length() - "README.md".length())
                : file.substring(0, file.length() - ".md".length()) + "/";
    }

    List<Group> groups() {
        return groups;
    }

    /// The README, and the index of all pages.
    private static boolean isHome(Article article) {
        return article.page().equals("index.html") || article.file().equals(INDEX);
    }

    /// The files that each section of the index links to, by the section's title up to a colon.
    private static Map<String, List<String>> sections(String index) {
        var sections = new LinkedHashMap<String, List<String>>();
        var files = new ArrayList<String>();
        for (var found : SECTION.matcher(index).results().toList()) {
            if (found.group(1) != null) {
                files = new ArrayList<>();
                sections.put(found.group(1), files);
            } else {
                files.add(Places.resolve(INDEX, found.group(2)));
            }
        }
        return sections;
    }

    /// The articles of a folder, its README first, then by name: chapters have numbers.
    private static List<Article> in(List<Article> articles, String folder) {
        var found = new ArrayList<>(articles.stream().filter(article -> article.file().startsWith(folder)).toList());
        found.sort(Comparator.comparing((Article article) -> !article.file().equals(folder + "README.md"))
                .thenComparing(Article::file));
        return found;
    }

    /// The course's page before or after another; null if there is none.
    @Nullable
    Article neighbour(Article article, int step) {
        int index = course.indexOf(article);
        int wanted = index + step;
        return index < 0 || wanted < 0 || wanted >= course.size() ? null : course.get(wanted);
    }
}
