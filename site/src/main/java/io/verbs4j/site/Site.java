// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.site;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// All pages: the Markdown files at the top of the repository and in `docs`, what they show, and what they link to.
record Site(Path repository, List<Article> articles, boolean api) {
    private static final List<String> ASSETS = List.of("site.css", "site.js", RingPage.SCRIPT, "icon.svg");
    private static final List<String> IMAGES = List.of(".svg", ".png");

    /// The site without Javadoc.
    static Site of(Path repository) throws IOException {
        var files = new ArrayList<Path>();
        try (
                Stream<Path> top = Files.list(repository);
                Stream<Path> docs = Files.walk(repository.resolve("docs"))) {
            Stream.concat(top.filter(Files::isRegularFile), docs)
                    .filter(file -> file.toString().endsWith(".md"))
                    .forEach(files::add);
        }
        files.sort(null);
        var articles = new ArrayList<Article>();
        for (Path file : files) {
            articles.add(new Article(repository.relativize(file).toString(), Files.readString(file)));
        }
        return new Site(repository, articles, false);
    }

    /// The same with Javadoc, which takes its time.
    Site withApi() {
        return new Site(repository, articles, true);
    }

    /// Returns the groups of articles as the index pages have them.
    Navigation navigation() {
        return new Navigation(articles);
    }

    /// Writes all of it, in place of what was there.
    void write(Path folder) throws IOException {
        delete(folder);
        Files.createDirectories(folder);
        var frame = new PageFrame(navigation(), api);
        var index = new SearchIndex();
        var files = new TreeSet<String>();
        for (Article article : articles) {
            write(folder.resolve(article.page()), frame.article(article));
            index.add(article);
            files.addAll(article.files());
        }
        write(folder.resolve(RingPage.PAGE), frame.page(RingPage.PAGE, RingPage.TITLE, RingPage.html()));
        for (String file : files) {
            copy(folder, frame, file);
        }
        if (api) {
            ApiDocs.write(repository, folder.resolve(Places.API));
            String types = Files.readString(folder.resolve(Places.API).resolve("type-search-index.js"));
            if (index.addTypes(types, ApiDocs.modules(folder.resolve(Places.API))) == 0) {
                throw new IllegalStateException("no type in Javadoc's index, or its form has changed: "
                        + types.substring(0, Math.min(types.length(), 200)));
            }
        }
        write(folder.resolve("assets/search-index.js"), index.script());
        for (String asset : ASSETS) {
            try (InputStream bytes = Site.class.getResourceAsStream(asset)) {
                if (bytes == null) {
                    throw new IllegalStateException("no resource " + asset);
                }
                Files.copy(bytes, folder.resolve("assets").resolve(asset));
            }
        }
    }

    /// Copies what an article shows or links to. What does not exist is left out, and found by [LinkCheck].
    private void copy(Path folder, PageFrame frame, String file) throws IOException {
        Path source = repository.resolve(file);
        if (!Files.isRegularFile(source)) {
            return;
        }
        if (IMAGES.stream().anyMatch(file::endsWith)) {
            Path target = folder.resolve(Places.image(file));
            Files.createDirectories(target.getParent());
            Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING);
        } else {
            String page = Places.source(file);
            write(folder.resolve(page), frame.source(page, file, Files.readString(source)));
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void delete(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(
                    Path dir, @Nullable IOException fault) throws IOException {
                Files.delete(dir);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
