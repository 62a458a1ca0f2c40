// SPDX-License-Identifier: Apache-2.0
// The page with rings: memory as it is shared with the kernel, and what each side stores there.
(() => {
    const SLOTS = 8;
    const MASK = SLOTS - 1;
    const layouts = window.layouts;
    const header = layouts.rxe_queue_buf;
    const offset = (struct, path) => {
        const field = layouts[struct].fields.find(known => known[0] === path);
        if (!field) {
            throw new Error(struct + ' has no ' + path);
        }
        return field[1];
    };
    const PRODUCER = offset('rxe_queue_buf', 'producer_index');
    const CONSUMER = offset('rxe_queue_buf', 'consumer_index');
    const powerOfTwo = size => 2 ** Math.ceil(Math.log2(size));

    // A ring with its memory. The program keeps an index of its own until it publishes it.
    function ring(title, struct, program, kernel) {
        const stride = powerOfTwo(layouts[struct].size);
        const memory = new DataView(new ArrayBuffer(header.size + SLOTS * stride));
        memory.setUint32(offset('rxe_queue_buf', 'log2_elem_size'), Math.log2(stride), true);
        memory.setUint32(offset('rxe_queue_buf', 'index_mask'), MASK, true);
        return {title, struct, stride, memory, program, kernel,
            get producer() { return memory.getUint32(PRODUCER, true); },
            set producer(value) { memory.setUint32(PRODUCER, value & MASK, true); },
            get consumer() { return memory.getUint32(CONSUMER, true); },
            set consumer(value) { memory.setUint32(CONSUMER, value & MASK, true); },
            at: slot => header.size + slot * stride,
            set(slot, path, value) {
                const field = layouts[struct].fields.find(known => known[0] === path);
                const place = this.at(slot) + field[1];
                if (field[2] === 8) {
                    memory.setBigUint64(place, BigInt(value), true);
                } else if (field[2] === 4) {
                    memory.setUint32(place, value, true);
                } else {
                    memory.setUint8(place, value);
                }
            },
            get(slot, path) {
                const field = layouts[struct].fields.find(known => known[0] === path);
                const place = this.at(slot) + field[1];
                return field[2] === 8 ? Number(memory.getBigUint64(place, true)) : memory.getUint32(place, true);
            }};
    }

    let send, completion, next, wanted, woken, shown;

    function reset() {
        send = ring('Send ring', 'rxe_send_wqe', 'producer_index', 'consumer_index');
        completion = ring('Completion ring', 'ib_uverbs_wc', 'consumer_index', 'producer_index');
        next = 0;
        wanted = 1;
        woken = false;
        shown = [send, 0];
        say('Both rings are empty: producer_index and consumer_index are equal.');
    }

    const actions = {
        reset,
        write() {
            if ((next + 1 & MASK) === send.consumer) {
                return say('The send ring is full: ' + MASK + ' requests, and one slot stays free. A post reports that, and writes nothing.');
            }
            send.set(next, 'wr.wr_id', wanted);
            send.set(next, 'wr.opcode', 0);
            send.set(next, 'wr.send_flags', 2);
            send.set(next, 'dma.length', 64);
            send.set(next, 'dma.resid', 64);
            send.set(next, 'dma.num_sge', 1);
            shown = [send, next];
            say('Request ' + wanted + ' is in slot ' + next + ', at byte ' + send.at(next) + '. The kernel does not know of it: producer_index is still ' + send.producer + '.');
            next = next + 1 & MASK;
            wanted++;
        },
        publish() {
            const count = next - send.producer & MASK;
            if (count === 0) {
                return say('There is nothing to publish.');
            }
            send.producer = next;
            say('One store with release semantics sets producer_index, at byte ' + PRODUCER + ', to ' + next + ': ' + count + (count === 1 ? ' request is' : ' requests are') + ' the kernel’s. Whoever sees the index sees the requests.');
        },
        doorbell() {
            woken = send.producer !== send.consumer;
            say(woken ? 'write() of POST_SEND wakes the kernel: it takes requests until the ring is empty.' : 'The doorbell rings, and the kernel finds the ring empty.');
        },
        kernel() {
            if (!woken) {
                return say(send.producer === send.consumer ? 'There is nothing to do.' : 'The kernel sleeps: nobody has rung the doorbell.');
            }
            const slot = send.consumer;
            const id = send.get(slot, 'wr.wr_id');
            send.set(slot, 'state', 3);
            const place = completion.producer;
            let what;
            if ((place + 1 & MASK) === completion.consumer) {
                what = 'Request ' + id + ' is done, and the completion ring is full: its completion is lost, and an event CQ_ERR says so.';
            } else {
                completion.set(place, 'wr_id', id);
                completion.set(place, 'status', 0);
                completion.set(place, 'opcode', 0);
                completion.set(place, 'byte_len', 64);
                completion.producer = place + 1;
                shown = [completion, place];
                what = 'Request ' + id + ' is done: its completion is in slot ' + place + ' of the other ring.';
            }
            send.consumer = slot + 1;
            woken = send.producer !== send.consumer;
            say(what + ' The kernel’s consumer_index of the send ring goes to ' + send.consumer + ', which frees the slot.');
        },
        poll() {
            const slot = completion.consumer;
            if (slot === completion.producer) {
                return say('No completion: the indices of the completion ring are equal. That took no system call.');
            }
            shown = [completion, slot];
            const id = completion.get(slot, 'wr_id');
            completion.consumer = slot + 1;
            say('Request ' + id + ' has completed with status 0. Storing consumer_index gives the slot back to the kernel.');
        },
    };

    function say(text) {
        document.getElementById('said').textContent = text;
    }

    function element(name, text, className) {
        const made = document.createElement(name);
        made.textContent = text;
        if (className) {
            made.className = className;
        }
        return made;
    }

    function state(of, slot) {
        if (of === send && (slot - send.producer & MASK) < (next - send.producer & MASK)) {
            return 'written';
        }
        return (slot - of.consumer & MASK) < (of.producer - of.consumer & MASK) ? 'taken' : 'free';
    }

    function draw() {
        const rings = document.getElementById('rings');
        rings.replaceChildren();
        for (const one of [send, completion]) {
            const row = element('div', '', 'ring');
            row.append(element('b', one.title + ' '), element('span', 'producer_index ' + one.producer + ' (byte ' + PRODUCER + '), consumer_index ' + one.consumer + ' (byte ' + CONSUMER + '); we write ' + one.program));
            const slots = element('div', '', 'slots');
            for (let slot = 0; slot < SLOTS; slot++) {
                const button = element('button', String(slot), state(one, slot));
                button.type = 'button';
                button.title = state(one, slot) + ', byte ' + one.at(slot);
                const marks = (one.producer === slot ? '▼' : '') + (one.consumer === slot ? '▲' : '');
                button.append(element('small', marks || ' '));
                if (shown[0] === one && shown[1] === slot) {
                    button.setAttribute('aria-pressed', 'true');
                }
                button.addEventListener('click', () => {
                    shown = [one, slot];
                    draw();
                });
                slots.append(button);
            }
            row.append(slots);
            rings.append(row);
        }
        rings.append(element('p', '▼ producer, ▲ consumer. Yellow: written, not published. Blue: published, not taken yet.', 'legend'));
        bytes();
    }

    function bytes() {
        const [of, slot] = shown;
        const place = document.getElementById('bytes');
        place.replaceChildren(element('p', 'struct ' + of.struct + ' in slot ' + slot + ' of the ' + of.title.toLowerCase() + ', at byte ' + of.at(slot) + ':'));
        const table = document.createElement('table');
        const head = table.insertRow();
        for (const title of ['byte', 'field', 'value', 'meaning']) {
            head.append(element('th', title));
        }
        for (const [path, at, size, meaning] of layouts[of.struct].fields) {
            let value = 0n;
            for (let byte = size - 1; byte >= 0; byte--) {
                value = value << 8n | BigInt(of.memory.getUint8(of.at(slot) + at + byte));
            }
            if (value === 0n) {
                continue;
            }
            const row = table.insertRow();
            for (const text of ['+' + at, path, '0x' + value.toString(16), meaning]) {
                row.append(element('td', text));
            }
        }
        place.append(table.rows.length > 1 ? table : element('p', 'All bytes are 0.'));
    }

    reset();
    draw();
    for (const button of document.querySelectorAll('[data-do]')) {
        button.addEventListener('click', () => {
            actions[button.dataset.do]();
            draw();
        });
    }
})();
