// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.site;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The column beside each page: all articles, grouped by purpose.
final class Navigation {
    /// The page that links to the index pages. Each of these is a group, whose order is that of its links.
    static final String INDEX = "docs/README.md";

    private static final String COURSE = "docs/course/";

    /// A group of articles under a title.
    ///
    /// @param index the page that lists them, if there is one
    record Group(String title, @Nullable Article index, List<Article> articles) {}

    private final List<Group> groups = new ArrayList<>();
    private final List<Article> course;

    /// @param articles all of them
    Navigation(List<Article> articles) {
        course = in(articles, COURSE);
        groups.add(new Group("", null, articles.stream().filter(Navigation::isHome).toList()));
        var left = new LinkedHashMap<String, Article>();
        articles.stream().filter(article -> !isHome(article)).forEach(article -> left.put(article.file(), article));
        var indexes = new ArrayList<Article>();
        for (Article all : articles) {
            if (all.file().equals(INDEX)) {
                for (String file : all.linkedArticles()) {
                    Article index = left.remove(file);
                    if (index != null) {
                        indexes.add(index);
                    }
                }
            }
        }
        for (Article index : indexes) {
            var found = new ArrayList<Article>();
            for (String file : index.linkedArticles()) {
                Article article = left.remove(file);
                if (article != null) {
                    found.add(article);
                    String folder = folder(file);
                    in(articles, folder).stream().filter(left::containsValue).forEach(found::add);
                    left.keySet().removeIf(other -> other.startsWith(folder));
                }
            }
            groups.add(new Group(index.title(), index, found));
        }
        groups.add(new Group("Project", null, List.copyOf(left.values())));
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
