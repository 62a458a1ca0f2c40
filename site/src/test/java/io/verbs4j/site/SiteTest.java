// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The site, without Javadoc, as the pages in the repository make it.
class SiteTest {
    private static final Path REPOSITORY = Path.of("..").toAbsolutePath().normalize();

    @TempDir private static Path folder;

    @BeforeAll
    static void write() throws IOException {
        Site.of(REPOSITORY).write(folder);
    }

    private static String read(String page) throws IOException {
        return Files.readString(folder.resolve(page));
    }

    @Test
    void hasNoDeadLinkAndLoadsNothingFromElsewhere() throws IOException {
        assertThat(new LinkCheck(folder).faults()).isEmpty();
    }

    @Test
    void javadocCoversEachModuleWithPackagesForUsers() throws IOException {
        var rows = Pattern.compile("^\\| `io\\.verbs4j[.\\w]*` \\| [^|]+ \\| `([.\\w]+)` \\|$", Pattern.MULTILINE)
                .matcher(Files.readString(REPOSITORY.resolve("docs/stability.md")));
        assertThat(rows.results().map(row -> row.group(1)).filter(module -> !module.equals("io.verbs4j.tools")))
                .isNotEmpty()
                .allSatisfy(module -> assertThat(ApiDocs.documented()).contains(module));
    }

    @Test
    void hasAPageForEachMarkdownFile() throws IOException {
        try (Stream<Path> files = Files.walk(REPOSITORY.resolve("docs"))) {
            List<String> pages = files.map(file -> REPOSITORY.relativize(file).toString())
                    .filter(file -> file.endsWith(".md"))
                    .map(Places::page)
                    .toList();
            assertThat(pages).hasSizeGreaterThan(20).allSatisfy(page -> {
                assertThat(folder.resolve(page)).exists();
                assertThat(read("index.html")).contains("href=\"" + page + "\"");
            });
        }
    }

    @Test
    void hasEachPageUnderItsPurpose() throws IOException {
        var groups = Site.of(REPOSITORY).navigation().groups();
        assertThat(read("sockets.html")).contains("<h2><a href=\"how-to.html\">How-to guides</a></h2>");
        assertThat(groups).extracting(Navigation.Group::title)
                .containsExactly("", "Tutorials", "How-to guides", "Reference", "Explanations", "Project");
        assertThat(groups.getLast().articles()).as("pages that no index page lists")
                .allSatisfy(article -> assertThat(article.file()).doesNotContain("/"));
        assertThat(groups.get(1).articles()).extracting(Article::page)
                .startsWith("course/00-sockets.html", "first-service.html", "course/index.html",
                        "course/01-verb/index.html");
    }

    @Test
    void showsTheCourseInOrder() throws IOException {
        assertThat(read("course/02-device/index.html"))
                .contains("← 1. Verbs", "3. The ioctl envelope →", "<img src=\"opening.svg\"", "<details>");
        assertThat(read("course/index.html")).containsSubsequence("1. Verbs", "2. Opening", "3. The", "12. How");
    }

    @Test
    void isMadeForNarrowScreensToo() throws IOException {
        assertThat(read("index.html")).contains("<meta name=\"viewport\" content=\"width=device-width");
        assertThat(read("assets/site.css")).contains("@media (max-width");
        assertThat(read("tools.html")).contains("<div class=\"wide\"><table>");
    }

    @Test
    void canBeSearched() throws IOException {
        assertThat(read("assets/search-index.js"))
                .startsWith("window.searchIndex = [\n")
                .contains("[\"rings.html#a-batch\",\"The rings of rxe › A batch\",\"To post several")
                .contains("› What is RDMA?\"", "\"Getting started\"", "› Docker and Podman\"", "› Netty\"")
                .doesNotContain("<script");
    }

    @Test
    void findsDeadLinks(@TempDir Path broken) throws IOException {
        Files.writeString(
                broken.resolve("index.html"),
                """
                    <h1 id="here">x</h1><a href="#here">ok</a><a href="https://example.org/a?b=c">ok</a>
                    <a href="#there">1</a><a href="no.html">2</a><a href="../../etc/passwd">3</a><a href="ftp://x">4</a>
                    <a href="http://a b">5</a><img src="https://example.org/x.png"><link href="//example.org/x.css">
                    <script src="https://example.org/x.js">var text = '<a href="not-a-link.html">';</script>
                    """);
        Files.writeString(broken.resolve("x.css"),
                "@import 'y.css'; @import url('x.css'); a { background: url(https://example.org/z.png) }");
        assertThat(new LinkCheck(broken).faults())
                .anyMatch(fault -> fault.contains("#there leads to a page without that anchor"))
                .anyMatch(fault -> fault.contains("no.html leads to nothing"))
                .anyMatch(fault -> fault.contains("passwd leads to nothing"))
                .anyMatch(fault -> fault.contains("ftp://x is no address of a page"))
                .anyMatch(fault -> fault.contains("http://a b is no address"))
                .anyMatch(fault -> fault.contains("x.png is loaded from elsewhere"))
                .anyMatch(fault -> fault.contains("x.css is loaded from elsewhere"))
                .anyMatch(fault -> fault.contains("x.js is loaded from elsewhere"))
                .anyMatch(fault -> fault.contains("y.css leads to nothing"))
                .anyMatch(fault -> fault.contains("z.png is loaded from elsewhere"))
                .hasSize(10);
    }

    @Test
    void makesAnchorsAsGitHubDoes() {
        assertThat(Article.slug("`trace [OPTIONS] COMMAND…`".replace("`", ""))).isEqualTo("trace-options-command");
        assertThat(Article.slug("Accesses that are not ordered, and need not be"))
                .isEqualTo("accesses-that-are-not-ordered-and-need-not-be");
    }

    @Test
    void putsTypesOfJavadocIntoTheSearch() {
        var index = new SearchIndex();
        String javadoc =
                "typeSearchIndex = [{\"l\":\"All\",\"u\":\"x\"},{\"p\":\"io.verbs4j.types\",\"l\":\"Gid\",\"k\":\"9\"}];";
        assertThat(index.addTypes(javadoc, Map.of("io.verbs4j.types", "io.verbs4j.abi"))).isEqualTo(1);
        assertThat(index.script()).contains("api/io.verbs4j.abi/io/verbs4j/types/Gid.html", "API › Gid");
    }

    @Test
    void marksWordsOfJavaAndShell() {
        assertThat(Highlight.html("java", "var a = \"b < c\"; // why\n"))
                .contains("<span class=\"key\">var</span>", "<span class=\"string\">&quot;b &lt; c&quot;</span>",
                        "<span class=\"comment\">// why</span>");
        assertThat(Highlight.html("", "tools/lab run --kernel uml -- java X.java   # in a guest\n"))
                .contains("<pre class=\"shell\">", "<span class=\"key\">tools/lab</span>",
                        "<span class=\"mark\">--kernel</span>", "<span class=\"comment\"># in a guest</span>");
        assertThat(Highlight.html("", "work request 1 on queue pair 18: RECEIVE\n")).doesNotContain("<span");
    }

    /// The block itself is left when marks are taken out.
    @Test
    void changesNoCharacterOfABlock() {
        String code = "/* a */ @B int c = 0x1F; 'd'; \"\"\"\n e \"f\" \"\"\"; // g\n";
        assertThat(Highlight.html("java", code).replaceAll("<[^>]+>", "").replace("&quot;", "\""))
                .isEqualTo(code + "\n");
    }

    @Test
    void keepsTheShapeOfDrawings() throws IOException {
        assertThat(read("architecture.html")).contains("<pre class=\"drawing\">");
    }

    @Test
    void followsTheDarkModeAndCopiesBlocks() throws IOException {
        assertThat(read("assets/site.css")).contains("img[src$=\".svg\"] { filter: invert");
        assertThat(read("assets/site.js")).contains("navigator.clipboard.writeText(block.textContent)");
    }

    /// The page computes with the layouts that the provider works with.
    @Test
    void ringCanBePlayedWith() throws IOException {
        assertThat(read("ring.html")).contains(
                "[\"producer_index\", 128, 4,", "[\"consumer_index\", 256, 4,", "\"rxe_send_wqe\": {\"size\": 208",
                "<script src=\"assets/ring.js\"");
        assertThat(read("index.html")).contains("href=\"ring.html\"");
    }
}
