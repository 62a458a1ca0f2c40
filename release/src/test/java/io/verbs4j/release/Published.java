// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.release;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/// The artifacts that are published, as the root's list of modules and their project files say.
record Published(Path folder, Element project) {
    static final Path ROOT = root();

    /// All of them, the parent first.
    static List<Published> all() {
        var parent = new Published(ROOT, read(ROOT.resolve("pom.xml")));
        var all = new ArrayList<Published>();
        all.add(parent);
        children(child(parent.project, "modules").orElseThrow())
                .map(module -> ROOT.resolve(module.getTextContent().strip()))
                .map(folder -> new Published(folder, read(folder.resolve("pom.xml"))))
                .filter(module -> !module.text("properties", "maven.deploy.skip").equals("true"))
                .forEach(all::add);
        return all;
    }

    /// Those with classes.
    static List<Published> jars() {
        return all().stream().filter(published -> published.packaging().equals("jar")).toList();
    }

    String artifact() {
        return text("artifactId");
    }

    String packaging() {
        return text("packaging").isEmpty() ? "jar" : text("packaging");
    }

    String version() {
        return text("version").isEmpty() ? text("parent", "version") : text("version");
    }

    Path pom() {
        return folder.resolve("pom.xml");
    }

    /// The jar that the build has made.
    Path jar() {
        String name = artifact() + "-" + version() + ".jar";
        return Stream.of("target", "target/dist/lib")
                .map(place -> folder.resolve(place).resolve(name))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        folder + " has no " + name + ": run 'mvn verify' for all modules"));
    }

    /// Returns whether all that it needs besides tests is ours.
    boolean needsTheJdkAlone() {
        return dependencies("dependencies")
                .filter(dependency -> child(dependency, "scope")
                        .map(scope -> !scope.getTextContent().strip().equals("test"))
                        .orElse(true))
                .allMatch(Published::isOurs);
    }

    private static boolean isOurs(Element dependency) {
        return child(dependency, "groupId").orElseThrow().getTextContent().strip().equals("io.verbs4j");
    }

    private Stream<Element> dependencies(String... path) {
        Optional<Element> found = Optional.of(project);
        for (String name : path) {
            found = found.flatMap(element -> child(element, name));
        }
        return found.stream().flatMap(Published::children);
    }

    /// The text at a path of elements, empty if there is none.
    String text(String... path) {
        Optional<Element> found = Optional.of(project);
        for (String name : path) {
            found = found.flatMap(element -> child(element, name));
        }
        return found.map(element -> element.getTextContent().strip()).orElse("");
    }

    /// The artifacts of ours that a list of dependencies names, but for tests alone.
    List<String> named(String... path) {
        return dependencies(path)
                .filter(Published::isOurs)
                .filter(dependency -> child(dependency, "scope").stream()
                        .noneMatch(scope -> scope.getTextContent().strip().equals("test")))
                .map(dependency -> child(dependency, "artifactId").orElseThrow().getTextContent().strip())
                .toList();
    }

    @Override
    public String toString() {
        return artifact();
    }

    private static Optional<Element> child(Element parent, String name) {
        return children(parent).filter(element -> element.getTagName().equals(name)).findFirst();
    }

    private static Stream<Element> children(Element parent) {
        var found = new ArrayList<Element>();
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element) {
                found.add(element);
            }
        }
        return found.stream();
    }

    private static Element read(Path pom) {
        try {
            return DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(pom.toFile())
                    .getDocumentElement();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (ParserConfigurationException | SAXException e) {
            throw new IllegalStateException(pom.toString(), e);
        }
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("LICENSE"))) {
            folder = Optional.ofNullable(folder.getParent())
                    .orElseThrow(() -> new IllegalStateException("not within the repository"));
        }
        return folder;
    }
}
