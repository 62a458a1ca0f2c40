// SPDX-License-Identifier: Apache-2.0
package io.verbs4j.tests.walks;

import io.verbs4j.tools.common.Json;
import io.verbs4j.types.QueuePairState;
import io.verbs4j.types.SendFlags;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;

/// Writes a recorded walk for `tools/lab.d/replay-walks.py`, and the driver's expected answer: a line for each step.
/// [Difference] lists deviations from the record.
final class Replay {
    private final List<Map<String, Object>> steps = new ArrayList<>();
    private final List<String> answers = new ArrayList<>();
    private final List<String> texts = new ArrayList<>();
    private final boolean patient;

    private Replay(boolean patient) {
        this.patient = patient;
    }

    /// The walk without what the driver cannot do. Completions are taken before their queue goes.
    static Walk playable(Walk walk) {
        var steps = new ArrayList<Step>();
        var bound = new boolean[2][Layout.WINDOWS];
        for (Step step : walk.steps()) {
            int side = step.side().ordinal();
            switch (step) {
                case Step.Send send -> {
                    var requests = new ArrayList<SendRequest>();
                    for (SendRequest request : send.requests()) {
                        int number = request.target().number();
                        if (request.operation() == Operation.BIND ? !bound[side][number]
                                : !request.operation().isRecent()) {
                            requests.add(request);
                            bound[side][number % Layout.WINDOWS] |= request.operation() == Operation.BIND;
                        }
                    }
                    if (!requests.isEmpty()) {
                        steps.add(new Step.Send(send.side(), requests));
                    }
                }
                case Step.RenewWindow renewal -> {
                    bound[side][renewal.window()] = false;
                    steps.add(step);
                }
                case Step.RenewQueue renewal -> {
                    steps.add(new Step.Poll(renewal.side(), renewal.queue(), Integer.MAX_VALUE));
                    steps.add(step);
                }
                default -> steps.add(step);
            }
        }
        return new Walk(walk.patient(), steps);
    }

    static Replay of(Walk walk, List<WalkRun.Taken> taken) {
        var replay = new Replay(walk.patient());
        taken.forEach(replay::add);
        return replay;
    }

    /// The walk, on one line.
    String walk() {
        var walk = new LinkedHashMap<String, Object>();
        walk.put("timeout", patient ? Layout.PATIENT_TIMEOUT : Layout.TIMEOUT);
        walk.put("retries", Layout.RETRIES);
        walk.put("completions", Layout.COMPLETIONS);
        walk.put("sends", Layout.SENDS);
        walk.put("receives", Layout.RECEIVES);
        walk.put("elements", Layout.ELEMENTS);
        walk.put("inline", Layout.INLINE);
        walk.put("regions", Layout.REGIONS.stream()
                .map(region -> List.of(region.bytes(), Layout.knownHere(region.rights())))
                .toList());
        walk.put("steps", steps);
        return Json.line(walk);
    }

    /// Returns what the driver must say, a line for each step.
    List<String> answers() {
        return answers;
    }

    /// The steps, for messages.
    String text(int step) {
        return texts.get(step);
    }

    private void add(WalkRun.Taken taken) {
        Step step = taken.step();
        if (taken.outcome().byLibrary() || step instanceof Step.Resize && taken.outcome().refusal()) {
            return;
        }
        var json = new LinkedHashMap<String, Object>();
        json.put("do", name(step));
        json.put("side", step.side().ordinal());
        arguments(json, taken);
        var state = taken.after();
        var states = List.of(state.numbers()[0], state.numbers()[State.NUMBERS.size()]);
        var memory = new ArrayList<Long>();
        for (byte[] region : state.memory()) {
            var sum = new CRC32();
            sum.update(region);
            memory.add(sum.getValue());
        }
        json.put("arrivals", taken.arrived().stream().map(List::size).toList());
        json.put("states", states);
        json.put("memory", memory);
        steps.add(json);
        texts.add(step.toString());

        var answer = new LinkedHashMap<String, Object>();
        answer.put("outcome", step instanceof Step.Poll ? "done" : taken.outcome().text());
        answer.put("arrived",
                taken.arrived().stream().map(queue -> queue.stream().map(Replay::completion).toList()).toList());
        answer.put("states", states);
        answer.put("memory", memory);
        answers.add(Json.line(answer));
    }

    private static String name(Step step) {
        return switch (step) {
            case Step.Poll _,Step.Arm _ -> "nothing";
            default -> {
                String name = step.getClass().getSimpleName();
                yield Character.toLowerCase(name.charAt(0)) + name.substring(1);
            }
        };
    }

    private static void arguments(Map<String, Object> json, WalkRun.Taken taken) {
        switch (taken.step()) {
            case Step.Modify modify -> {
                json.put("state", modify.state().value());
                json.put("attributes", modify.attributes());
                json.put("rights", Layout.knownHere(modify.rights()));
            }
            case Step.Send send -> {
                var requests = new ArrayList<Map<String, Object>>();
                for (int i = 0; i < send.requests().size(); i++) {
                    requests.add(request(WalkDevice.id(taken.index(), i), send.requests().get(i)));
                }
                json.put("requests", requests);
            }
            case Step.Receive receive -> {
                var ids = new ArrayList<Long>();
                for (int i = 0; i < receive.receives().size(); i++) {
                    ids.add(WalkDevice.id(taken.index(), i));
                }
                json.put("ids", ids);
                json.put("receives", receive.receives().stream().map(Replay::parts).toList());
                int state = taken.after().numbers()[receive.side().ordinal() * State.NUMBERS.size()];
                json.put("kick", state == QueuePairState.ERR.value());
            }
            case Step.Resize resize -> {
                json.put("queue", resize.queue().ordinal());
                json.put("entries", resize.entries());
            }
            case Step.RenewQueue renewal -> json.put("queue", renewal.queue().ordinal());
            case Step.RenewRegion renewal -> json.put("region", renewal.region());
            case Step.RenewWindow renewal -> json.put("window", renewal.window());
            default -> {
                // says all by its name
            }
        }
    }

    private static Map<String, Object> request(long id, SendRequest request) {
        Target target = request.target();
        var json = new LinkedHashMap<String, Object>();
        json.put("id", id);
        json.put("opcode", request.operation().opcode);
        json.put(
                "flags",
                (request.signaled() ? SendFlags.SIGNALED : 0)
                        | (request.solicited() ? SendFlags.SOLICITED : 0)
                        | (request.fenced() ? SendFlags.FENCE : 0)
                        | (request.inline() ? SendFlags.INLINE : 0));
        json.put("parts", parts(request.parts()));
        json.put(
                "target",
                List.of(target.window() ? 1 : 0, target.number(), target.offset(), spoil(target.wrongKey())));
        json.put("value", request.value());
        json.put("expected", request.expected());
        return json;
    }

    private static List<List<Integer>> parts(List<Part> parts) {
        return parts.stream()
                .map(part -> List.of(part.region(), part.offset(), part.length(), spoil(part.wrongKey())))
                .toList();
    }

    private static int spoil(boolean wrong) {
        return wrong ? RxeEnd.WRONG : 0;
    }

    /// A completion as librxe has it: [Difference#INVALIDATION_HAS_ANOTHER_FLAG].
    private static List<Object> completion(WalkCompletion completion) {
        int flags = (completion.globalRoute() ? 1 : 0)
                | (completion.immediate() ? 2 : 0)
                | (completion.invalidated().isEmpty() ? 0 : 4);
        return List.of(
                completion.id(),
                completion.queuePair(),
                completion.status(),
                completion.opcode(),
                completion.bytes(),
                flags,
                completion.invalidated().isEmpty() ? Integer.toUnsignedLong(completion.data())
                        : completion.invalidated());
    }
}
