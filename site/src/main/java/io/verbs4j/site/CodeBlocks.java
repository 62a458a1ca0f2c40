// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.site;

import java.util.Set;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlWriter;

/// Renders fenced blocks by [Highlight].
final class CodeBlocks implements NodeRenderer {
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
