// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.verbs4j.tests.support.Repository;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The pages are short enough to be read, and name classes that exist. Links are checked by the module `site`.
class PagesTest {
    private static final int README_LINES = 130;
    private static final int PAGE_LINES = 250;
    private static final int PARAGRAPH = 500;
    /// Beginnings of paragraphs that are no prose: tables, headings, comments and tags.
    private static final Pattern NO_PROSE = Pattern.compile("[|#<!].*");
    private static final Pattern ITEM = Pattern.compile("\\s*([-*]|\\d+\\.) .*");
    /// Names with two humps at least, so that a word of prose is none.
    private static final Pattern CLASS_NAME =
            Pattern.compile("`([A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)(?:\\.(\\w+))?[`(.…]");
    private static final Pattern DECLARATION = Pattern.compile("\\b(?:class|record|enum|interface) (\\w+)");
    /// Pages that tools write.
    private static final Set<String> GENERATED =
            Set.of("kernel-coverage.md", "mutations.md", "pyverbs-scenarios.md", "verbs-coverage.md");
    /// Blocks of other pages that tools write.
    private static final Pattern GENERATED_BLOCK =
            Pattern.compile("<!-- (listing|output|bench|growth|counts|generated).*?<!-- end", Pattern.DOTALL);
    /// Names of Netty, HotSpot, systemd, pyverbs and `/proc/self/status`.
    private static final Set<String> OTHERS =
            Set.of("ByteBuf", "EventLoopGroup", "FreqInlineSize", "CompileThreshold", "InlineSmallCode", "LimitMEMLOCK",
                    "VmPin");

    /// Returns the pages that persons read, without the changelog.
    private static List<Path> pages() throws IOException {
        var pages = new ArrayList<>(List.of(Repository.file("README.md"), Repository.file("CONTRIBUTING.md")));
        try (Stream<Path> files = Files.walk(Repository.file("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        assertThat(pages).hasSizeGreaterThan(40);
        return pages;
    }

    private static List<Path> written() throws IOException {
        return pages().stream().filter(page -> !GENERATED.contains(page.getFileName().toString())).toList();
    }

    @Test
    void noParagraphIsTooLong() throws IOException {
        var found = new ArrayList<String>();
        for (Path page : written()) {
            for (String paragraph : paragraphs(Files.readString(page))) {
                if (paragraph.length() > PARAGRAPH) {
                    found.add(page + ": " + paragraph.length() + " characters: " + paragraph.substring(0, 80));
                }
            }
        }
        assertThat(found).isEmpty();
    }

    /// Returns paragraphs and list items, without code, tables and headings.
    static List<String> paragraphs(String page) {
        var paragraphs = new ArrayList<String>();
        var current = new StringBuilder();
        boolean code = false;
        for (String line : page.lines().toList()) {
            boolean fence = line.strip().startsWith("```");
            code ^= fence;
            if (fence || code || line.isBlank() || NO_PROSE.matcher(line).matches() || ITEM.matcher(line).matches()) {
                paragraphs.add(current.toString());
                current.setLength(0);
            }
            if (!fence && !code && !NO_PROSE.matcher(line).matches()) {
                current.append(current.isEmpty() ? "" : " ").append(line.strip());
            }
        }
        paragraphs.add(current.toString());
        return paragraphs;
    }

    @Test
    void noPageIsTooLongUnlessItIsGenerated() throws IOException {
        for (Path page : written()) {
            String text = GENERATED_BLOCK.matcher(Files.readString(page)).replaceAll("");
            assertThat(text.lines().count()).as("lines of %s without generated blocks", page)
                    .isLessThanOrEqualTo(page.equals(Repository.file("README.md")) ? README_LINES : PAGE_LINES);
        }
    }

    @Test
    void eachClassThatAPageNamesExists() throws IOException {
        var sources = new HashMap<String, String>();
        try (Stream<Path> files = Files.walk(Repository.folder())) {
            for (Path file : files.filter(file -> file.toString().matches(".*/(src|docs|examples)/.*\\.java"))
                    .toList()) {
                String text = Files.readString(file);
                sources.merge(file.getFileName().toString().replace(".java", ""), text, String::concat);
                DECLARATION.matcher(text).results().forEach(name -> sources.merge(name.group(1), text, String::concat));
            }
        }
        var others = new HashSet<>(OTHERS);
        others.addAll(classesOfTheJdk());
        others.addAll(classesOfLibraries());
        var missing = new TreeSet<String>();
        int seen = 0;
        for (Path page : pages()) {
            for (var found : CLASS_NAME.matcher(Files.readString(page)).results().toList()) {
                String source = sources.get(found.group(1));
                seen++;
                if (source == null ? !others.contains(found.group(1))
                        : !hasMember(found.group(1), source, found.group(2))) {
                    missing.add(page.getFileName() + ": " + found.group());
                }
            }
        }
        assertThat(seen).isGreaterThan(500);
        assertThat(missing).isEmpty();
    }

    /// Returns whether a class may have a member: it may be inherited, and `java` is the ending of a file.
    private static boolean hasMember(String name, String source, @Nullable String member) {
        return member == null
                || member.equals("java")
                || source.contains(member)
                || Pattern.compile("(class|interface) " + name + "\\b[^{;]*\\bextends\\b").matcher(source).find();
    }

    private static Set<String> classesOfTheJdk() throws IOException {
        try (
                Stream<Path> files =
                        Files.walk(FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules/java.base"))) {
            return Set.copyOf(files.map(Path::toString).map(PagesTest::simpleName).distinct().toList());
        }
    }

    private static Set<String> classesOfLibraries() throws IOException {
        var names = new HashSet<String>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (entry.endsWith(".jar")) {
                try (var jar = new JarFile(entry)) {
                    jar.stream().forEach(file -> names.add(simpleName(file.getName())));
                }
            }
        }
        return names;
    }

    /// Of a file such as `java/lang/Thread$State.class`.
    private static String simpleName(String file) {
        return file.replaceAll("\\.class$", "").replaceAll(".*[/$]", "");
    }
}
