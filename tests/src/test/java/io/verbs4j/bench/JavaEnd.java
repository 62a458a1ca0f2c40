// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// A process of [WarmTools] that stays for all runs. If it hangs or dies, it is replaced by a cold one, for which
/// [#isCold()] is true until it is warmed up.
final class JavaEnd implements End {
    private static final String END = "\0end";

    private final List<String> virtualMachine;
    private final Path errors;
    private @Nullable Process process;
    private BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private boolean cold = true;

    /// @param virtualMachine the command that starts one, up to the class
    JavaEnd(List<String> virtualMachine, Path errors) {
        this.virtualMachine = virtualMachine;
        this.errors = errors;
    }

    boolean isCold() {
        return cold;
    }

    void warm() {
        cold = false;
    }

    @Override
    public void start(List<String> command) throws IOException {
        Process running = process;
        if (running == null || !running.isAlive()) {
            running = launch();
        }
        Writer in = running.outputWriter(StandardCharsets.UTF_8);
        in.write(String.join(" ", command) + "\n");
        in.flush();
    }

    private Process launch() throws IOException {
        var line = new ArrayList<>(virtualMachine);
        line.add(WarmTools.class.getName());
        Process fresh = new ProcessBuilder(line)
                .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                .start();
        var queue = new LinkedBlockingQueue<String>();
        Thread.ofPlatform().daemon().start(() -> {
            try (
                    var lines =
                            new BufferedReader(new InputStreamReader(fresh.getInputStream(), StandardCharsets.UTF_8))) {
                for (String text; (text = lines.readLine()) != null;) {
                    queue.add(text);
                }
            } catch (IOException e) {
                // It was stopped.
            }
            queue.add(END);
        });
        process = fresh;
        answers = queue;
        return fresh;
    }

    @Override
    public boolean hasEnded() {
        return answers.stream().anyMatch(line -> line.startsWith("= ") || line.equals(END));
    }

    @Override
    public Outcome await(long nanos) throws IOException, InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + nanos;
        var output = new ArrayList<String>();
        while (true) {
            String line = answers.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null) {
                try {
                    writeStacks();
                } finally {
                    stop();
                }
                throw new TimeoutException("Java hangs");
            }
            if (line.startsWith("= ")) {
                String[] words = line.split(" ");
                if (!words[1].equals("0")) {
                    throw new IOException("Java failed: " + String.join(" / ", output));
                }
                return new Outcome(output, Long.parseLong(words[2]), Long.parseLong(words[3]));
            }
            if (line.equals(END)) {
                stop();
                throw new IOException("the virtual machine died: " + String.join(" / ", output));
            }
            output.add(line.startsWith("| ") ? line.substring(2) : line);
        }
    }

    /// Adds the stacks of a process that hangs to its errors.
    private void writeStacks() throws IOException, InterruptedException {
        Process running = process;
        if (running != null) {
            String jcmd = Path.of(virtualMachine.getFirst()).resolveSibling("jcmd").toString();
            Process asking = new ProcessBuilder(jcmd, String.valueOf(running.pid()), "Thread.print")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                    .start();
            if (!asking.waitFor(1, TimeUnit.MINUTES)) {
                asking.destroyForcibly();
            }
        }
    }

    @Override
    public void stop() {
        cold = true;
        Process running = process;
        if (running != null) {
            running.destroyForcibly();
            process = null;
        }
    }
}
