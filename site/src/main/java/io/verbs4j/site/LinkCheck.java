// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.site;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Follows each link of a written site: files and anchors within it must exist, addresses elsewhere must be well
/// formed, and nothing may be loaded from elsewhere.
final class LinkCheck {
    private static final Pattern TAG =
            Pattern.compile("<(\\w+)((?:\\s+[\\w:-]+(?:=(?:\"[^\"]*\"|'[^']*'|[^\\s>]+))?)*)\\s*/?>");
    private static final Pattern ATTRIBUTE = Pattern.compile("([\\w:-]+)=(?:\"([^\"]*)\"|'([^']*)')");
    private static final Pattern LOADED_BY_STYLE = Pattern.compile("(?:url\\(\\s*['\"]?|@import\\s+['\"])([^)'\"]+)");
    private static final Pattern CODE = Pattern.compile("<script\\b[^>]*>.*?</script>|<!--.*?-->", Pattern.DOTALL);

    private record Reference(String tag, String attribute, String address) {
        /// Returns whether a browser loads it by itself.
        boolean isLoaded() {
            return !tag.equals("a") || !attribute.equals("href");
        }
    }

    private record Page(Set<String> anchors, List<Reference> references) {}

    private final Path folder;
    private final Map<Path, Page> pages = new HashMap<>();
    private final List<String> faults = new ArrayList<>();

    LinkCheck(Path folder) {
        this.folder = folder.toAbsolutePath().normalize();
    }

    /// Returns what is wrong, one line each.
    List<String> faults() throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(folder)) {
            files = all.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path file : files) {
            if (file.toString().endsWith(".html")) {
                pages.put(file, read(Files.readString(file)));
            } else if (file.toString().endsWith(".css") || file.toString().endsWith(".svg")) {
                checkStyle(file);
            }
        }
        for (Path file : files) {
            Page page = pages.get(file);
            if (page != null) {
                page.references.forEach(reference -> check(file, reference));
            }
        }
        return faults;
    }

    private static Page read(String html) {
        var anchors = new TreeSet<String>();
        var references = new ArrayList<Reference>();
        Matcher tags = TAG.matcher(withoutCode(html));
        while (tags.find()) {
            Matcher attributes = ATTRIBUTE.matcher(tags.group(2));
            while (attributes.find()) {
                String value = unescaped(attributes.group(2) == null ? attributes.group(3) : attributes.group(2));
                switch (attributes.group(1)) {
                    case "id", "name" -> anchors.add(value);
                    case "href", "src" -> references.add(new Reference(tags.group(1), attributes.group(1), value));
                    default -> {}
                }
            }
        }
        return new Page(anchors, references);
    }

    /// Scripts hold texts that look like tags; what they are loaded from still counts.
    private static String withoutCode(String html) {
        return CODE.matcher(html).replaceAll(found -> {
            String code = found.group();
            return Matcher.quoteReplacement(code.startsWith("<script") ? code.substring(0, code.indexOf('>') + 1) : "");
        });
    }

    private static String unescaped(String value) {
        return value.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    }

    private void check(Path file, Reference reference) {
        String address = reference.address;
        URI uri;
        try {
            uri = new URI(address);
        } catch (URISyntaxException e) {
            fault(file, address, "is no address: " + e.getReason());
            return;
        }
        if (uri.getScheme() != null || address.startsWith("//")) {
            if (reference.isLoaded()) {
                fault(file, address, "is loaded from elsewhere");
            } else if (!Set.of("http", "https").contains(String.valueOf(uri.getScheme())) || uri.getHost() == null) {
                fault(file, address, "is no address of a page");
            }
            return;
        }
        String path = URLDecoder.decode(uri.getRawPath(), StandardCharsets.UTF_8);
        Path target = path.isEmpty() ? file : file.resolveSibling(path).normalize();
        if (!target.startsWith(folder) || !Files.isRegularFile(target)) {
            fault(file, address, "leads to nothing");
        } else if (uri.getFragment() != null && !uri.getFragment().isEmpty()) {
            Page page = pages.get(target);
            if (page != null && !page.anchors.contains(uri.getFragment())
                    && !page.anchors.contains(String.valueOf(uri.getRawFragment()))) {
                fault(file, address, "leads to a page without that anchor");
            }
        }
    }

    private void checkStyle(Path file) throws IOException {
        Matcher loads = LOADED_BY_STYLE.matcher(Files.readString(file));
        while (loads.find()) {
            String address = loads.group(1);
            if (address.startsWith("//") || address.matches("(?!data:)[a-z]+:.*")) {
                fault(file, address, "is loaded from elsewhere");
            } else if (!address.startsWith("data:") && !Files.exists(file.resolveSibling(address))) {
                fault(file, address, "leads to nothing");
            }
        }
    }

    private void fault(Path file, String address, String what) {
        faults.add(folder.relativize(file) + ": " + address + " " + what);
    }
}
