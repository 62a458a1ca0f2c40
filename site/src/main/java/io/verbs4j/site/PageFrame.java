// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.site;

/// The frame around the text of all pages.
///
/// @param api whether there is Javadoc to link to
record PageFrame(Navigation navigation, boolean api) {
    private static final String FRAME =
            """
                <!DOCTYPE html>
                <html lang="en" data-root="%1$s">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%2$s</title>
                <link rel="stylesheet" href="%1$sassets/site.css">
                <link rel="icon" href="%1$sassets/icon.svg">
                <script src="%1$sassets/site.js" defer></script>
                </head>
                <body>
                <header>
                <button id="menu" type="button" aria-label="Contents" aria-expanded="false">☰</button>
                <a class="home" href="%1$sindex.html">verbs4j</a>
                <input id="search" type="search" placeholder="Search" aria-label="Search" autocomplete="off">
                </header>
                <div id="results" hidden></div>
                <div class="body">
                <nav id="contents" aria-label="Contents">
                %3$s</nav>
                <main>
                %4$s</main>
                </div>
                </body>
                </html>
                """;

    /// A page with an article.
    String article(Article article) {
        return FRAME.formatted(
                Places.root(article.page()),
                escaped(article.page().equals("index.html") ? "verbs4j" : article.title() + " – verbs4j"),
                contents(article.page()),
                article.html() + neighbours(article));
    }

    /// A page of the site's own.
    String page(String page, String title, String html) {
        return FRAME.formatted(Places.root(page), escaped(title + " – verbs4j"), contents(page), html);
    }

    /// A page with the text of a file.
    String source(String page, String file, String text) {
        var lines = new StringBuilder();
        int number = 1;
        for (String line : text.lines().toList()) {
            lines.append("<span id=\"L").append(number).append("\">").append(escaped(line)).append("</span>\n");
            number++;
        }
        return FRAME.formatted(
                Places.root(page),
                escaped(file + " – verbs4j"),
                contents(page),
                "<h1 class=\"file\">" + escaped(file) + "</h1>\n<pre class=\"source\">" + lines + "</pre>\n");
    }

    private String contents(String page) {
        var text = new StringBuilder();
        for (Navigation.Group group : navigation.groups()) {
            Article index = group.index();
            if (index != null) {
                text.append("<h2>")
                        .append(link(page, index.page(), group.title(), index.page().equals(page)))
                        .append("</h2>\n");
            } else if (!group.title().isEmpty()) {
                text.append("<h2>").append(group.title()).append("</h2>\n");
            }
            text.append("<ul>\n");
            for (Article article : group.articles()) {
                String title = article.page().equals("index.html") ? "Home" : article.title();
                text.append("<li>")
                        .append(link(page, article.page(), title, article.page().equals(page)))
                        .append("</li>\n");
            }
            text.append("</ul>\n");
        }
        text.append("<h2>Try</h2>\n<ul>\n<li>")
                .append(link(page, RingPage.PAGE, RingPage.TITLE, RingPage.PAGE.equals(page)))
                .append("</li>\n</ul>\n");
        if (api) {
            text.append("<h2>API</h2>\n<ul>\n<li>")
                    .append(link(page, Places.API + "index.html", "Javadoc", false))
                    .append("</li>\n</ul>\n");
        }
        return text.toString();
    }

    private String neighbours(Article article) {
        Article before = navigation.neighbour(article, -1);
        Article after = navigation.neighbour(article, 1);
        if (before == null && after == null) {
            return "";
        }
        return "<div class=\"neighbours\">"
                + (before == null ? "<span></span>" : link(article.page(), before.page(), "← " + before.title(), false))
                + (after == null ? "" : link(article.page(), after.page(), after.title() + " →", false))
                + "</div>\n";
    }

    private static String link(String from, String to, String title, boolean current) {
        return "<a href=\"" + Places.relative(from, to) + "\"" + (current ? " aria-current=\"page\"" : "") + ">"
                + escaped(title) + "</a>";
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\"", "&quot;");
    }
}
