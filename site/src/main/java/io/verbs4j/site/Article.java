// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.site;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.html.HtmlWriter;
import org.jspecify.annotations.Nullable;

/// A Markdown file as a page: HTML, sections, and the files that it links to.
final class Article {
    private static final List<TablesExtension> EXTENSIONS = List.of((TablesExtension) TablesExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

    /// A part of the page, from a heading to the next.
    ///
    /// @param level of the heading, from 1
    /// @param anchor the heading's id
    /// @param text all words of it, for the search
    record Section(int level, String title, String anchor, String text) {}

    private final String file;
    private final String page;
    private final Node document;
    private final Map<Heading, String> anchors = new HashMap<>();
    private final List<Section> sections = new ArrayList<>();
    private final Set<String> files = new TreeSet<>();
    private final Set<String> linkedArticles = new LinkedHashSet<>();

    /// @param file path in the repository
    /// @param markdown its text
    Article(String file, String markdown) {
        this.file = file;
        this.page = Places.page(file);
        this.document = PARSER.parse(markdown);
        findSections();
        rewriteLinks();
    }

    /// Path in the repository.
    String file() {
        return file;
    }

    /// Path in the site.
    String page() {
        return page;
    }

    String title() {
        return sections.isEmpty() ? file : sections.getFirst().title;
    }

    List<Section> sections() {
        return sections;
    }

    /// Files of the repository that it links to, other than Markdown.
    Set<String> files() {
        return files;
    }

    /// Markdown files that it links to, in the order of the links.
    Set<String> linkedArticles() {
        return linkedArticles;
    }

    String html() {
        return HtmlRenderer.builder()
                .extensions(EXTENSIONS)
                .attributeProviderFactory(_ -> (node, tag, attributes) -> {
                    String anchor = node instanceof Heading heading ? anchors.get(heading) : null;
                    if (anchor != null && tag.matches("h[1-6]")) {
                        attributes.put("id", anchor);
                    }
                    if (node instanceof Image) {
                        attributes.put("loading", "lazy");
                    }
                })
                .nodeRendererFactory(CodeBlocks::new)
                .build()
                .render(document)
                // What is wide scrolls by itself, not the page.
                .replace("<table>", "<div class=\"wide\"><table>")
                .replace("</table>", "</table></div>");
    }

    private void findSections() {
        var used = new HashMap<String, Integer>();
        Heading heading = null;
        var words = new StringBuilder();
        for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading next) {
                addSection(heading, words);
                heading = next;
                words.setLength(0);
                String slug = slug(words(next));
                int count = used.merge(slug, 1, Integer::sum);
                anchors.put(next, count == 1 ? slug : slug + "-" + (count - 1));
            } else {
                words.append(words(node)).append(' ');
            }
        }
        addSection(heading, words);
    }

    private void addSection(@Nullable Heading heading, StringBuilder words) {
        String anchor = heading == null ? null : anchors.get(heading);
        if (heading != null && anchor != null) {
            sections.add(new Section(heading.getLevel(), words(heading), anchor, words.toString().strip()));
        }
    }

    /// As GitHub makes them, since links in the repository are written for it.
    static String slug(String title) {
        return title.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N}_ -]", "").replace(' ', '-');
    }

    private static String words(Node node) {
        var text = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text words) {
                text.append(words.getLiteral());
            }

            @Override
            public void visit(Code code) {
                text.append(code.getLiteral());
            }

            @Override
            public void visit(SoftLineBreak line) {
                text.append(' ');
            }

            @Override
            public void visit(FencedCodeBlock block) {
                text.append(block.getLiteral()).append(' ');
            }

            @Override
            public void visit(HtmlBlock block) {
                // Comments and tags are no words.
            }

            @Override
            public void visit(HtmlInline inline) {
                // Likewise.
            }

            @Override
            protected void visitChildren(Node parent) {
                super.visitChildren(parent);
                if (!(parent instanceof Heading) && parent.getNext() != null) {
                    text.append(' ');
                }
            }
        });
        return text.toString();
    }

    private void rewriteLinks() {
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                link.setDestination(rewritten(link.getDestination()));
                visitChildren(link);
            }

            @Override
            public void visit(Image image) {
                String source = Places.resolve(file, image.getDestination());
                files.add(source);
                image.setDestination(Places.relative(page, Places.image(source)));
            }
        });
    }

    private String rewritten(String link) {
        if (link.contains(":") || link.startsWith("#")) {
            return link;
        }
        int hash = link.indexOf('#');
        String anchor = hash < 0 ? "" : link.substring(hash);
        String target = Places.resolve(file, hash < 0 ? link : link.substring(0, hash));
        if (target.endsWith(".md")) {
            linkedArticles.add(target);
            return Places.relative(page, Places.page(target)) + anchor;
        }
        files.add(target);
        return Places.relative(page, Places.source(target)) + anchor;
    }

    /// Renders fenced blocks by [Highlight].
    private static final class CodeBlocks implements NodeRenderer {
        private final HtmlWriter html;

        CodeBlocks(HtmlNodeRendererContext context) {
            this.html = context.getWriter();
        }

        @Override
        public Set<Class<? extends Node>> getNodeTypes() {
            return Set.of(FencedCodeBlock.class);
        }

        @Override
        public void render(Node node) {
            var block = (FencedCodeBlock) node;
            String info = block.getInfo() == null ? "" : block.getInfo();
            html.line();
            html.raw(Highlight.html(info.strip(), block.getLiteral()));
            html.line();
        }
    }
}
