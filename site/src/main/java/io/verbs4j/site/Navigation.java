// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.site;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes the column beside each page: all articles, by groups.
final class Navigation {
    /// Guides in reading order; others follow by name.
    private static final List<String> GUIDES = List.of(
            "lab.md",
            "tools.md",
            "posting.md",
            "processes.md",
            "tracing.md",
            "rings.md",
            "memory-model.md",
            "rxe-quirks.md",
            "adding-a-provider.md");

    /// A group of articles under a title.
    record Group(String title, List<Article> articles) {}

    private final List<Group> groups;

    Navigation(List<Article> articles) {
        groups = List.of(
                new Group("", articles.stream().filter(article -> article.page().equals("index.html")).toList()),
                new Group("Course", in(articles, "docs/course/")),
                new Group("Guides", guides(articles)),
                new Group("Decisions", in(articles, "docs/adr/")),
                new Group("Project", articles.stream()
                        .filter(article -> !article.file().contains("/") && !article.page().equals("index.html"))
                        .toList()));
    }

    List<Group> groups() {
        return groups;
    }

    /// The articles of a folder, its README first, then by name: chapters have numbers.
    private static List<Article> in(List<Article> articles, String folder) {
        var found = new ArrayList<>(articles.stream().filter(article -> article.file().startsWith(folder)).toList());
        found.sort((one, other) -> {
            boolean first = one.file().equals(folder + "README.md");
            boolean second = other.file().equals(folder + "README.md");
            return first == second ? one.file().compareTo(other.file()) : first ? -1 : 1;
        });
        return found;
    }

    private static List<Article> guides(List<Article> articles) {
        var found = new ArrayList<>(articles.stream()
                .filter(article -> article.file().matches("docs/[^/]+\\.md"))
                .toList());
        found.sort((one, other) -> rank(one) == rank(other)
                ? one.file().compareTo(other.file())
                : Integer.compare(rank(one), rank(other)));
        return found;
    }

    private static int rank(Article article) {
        int rank = GUIDES.indexOf(article.file().substring("docs/".length()));
        return rank < 0 ? GUIDES.size() : rank;
    }

    /// The course's page before or after another; null if there is none.
    @Nullable
    Article neighbour(Article article, int step) {
        List<Article> course = groups.get(1).articles;
        int index = course.indexOf(article);
        int wanted = index + step;
        return index < 0 || wanted < 0 || wanted >= course.size() ? null : course.get(wanted);
    }
}
