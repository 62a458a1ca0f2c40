// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tools.manual;

import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/// Writes a command's manual page in the language of man(7), from the contents of its help.
final class ManualPage {
    private final CommandSpec command;
    private final StringBuilder text = new StringBuilder();

    private ManualPage(CommandSpec command) {
        this.command = command;
    }

    /// Returns the page's name without section, such as `verbs-link-add`.
    static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName("-");
    }

    /// Returns the page.
    static String of(CommandLine command) {
        return new ManualPage(command.getCommandSpec()).write(command);
    }

    private String write(CommandLine commandLine) {
        UsageMessageSpec usage = command.usageMessage();
        String name = name(commandLine);
        text.append(".TH \"").append(name.toUpperCase(Locale.ROOT)).append("\" 1 \"\" \"verbs4j\"\n");
        section("NAME");
        line(name + " - " + String.join(" ", usage.header()));
        section("SYNOPSIS");
        text.append(".nf\n");
        commandLine.getHelp().synopsis(0).lines().forEach(this::line);
        text.append(".fi\n");
        if (usage.description().length > 0) {
            section("DESCRIPTION");
            paragraphs(usage.description());
        }
        writeArguments();
        if (!command.subcommands().isEmpty()) {
            section("COMMANDS");
            command.subcommands()
                    .forEach((label, sub) -> item(
                            label, String.join(" ", sub.getCommandSpec().usageMessage().header())));
        }
        section("EXIT STATUS");
        usage.exitCodeList().forEach(this::item);
        if (usage.footer().length > 0) {
            section("NOTES");
            text.append(".nf\n");
            paragraphs(usage.footer());
            text.append(".fi\n");
        }
        return text.toString();
    }

    private void writeArguments() {
        if (!command.positionalParameters().isEmpty()) {
            section("ARGUMENTS");
            for (PositionalParamSpec parameter : command.positionalParameters()) {
                item(parameter.paramLabel(), description(parameter));
            }
        }
        section("OPTIONS");
        for (OptionSpec option : command.options()) {
            String label = String.join(", ", option.names());
            item(option.arity().max() > 0 ? label + " " + option.paramLabel() : label, description(option));
        }
    }

    private static String description(ArgSpec argument) {
        String words = String.join(" ", argument.description());
        String defaultValue = argument.defaultValue();
        return defaultValue == null ? words : words.replace("${DEFAULT-VALUE}", defaultValue);
    }

    private void section(String title) {
        text.append(".SH ").append(title).append('\n');
    }

    private void item(String label, String words) {
        text.append(".TP\n\\fB").append(escape(label)).append("\\fR\n");
        line(words);
    }

    /// Converts lines separated by `%n`. An empty line starts a paragraph.
    private void paragraphs(String[] lines) {
        for (String each : lines) {
            for (String part : each.replace("%n", "\n").lines().toList()) {
                if (part.isBlank()) {
                    text.append(".PP\n");
                } else {
                    line(part);
                }
            }
        }
    }

    private void line(String words) {
        text.append("\\&").append(escape(Ansi.OFF.string(words).stripTrailing())).append('\n');
    }

    private static String escape(String words) {
        return words.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq");
    }
}
