import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chunksOf, msOf, type NodeUnderTest, stamp, startNode } from '../../test/support/node-under-test.ts';
import { httpChunks, putFile, putStamped, recording } from '../../test/support/recorded-exchange.ts';
import type { ContainerRun } from './runtime.ts';

const utf8 = (text: string) => Buffer.from(text);

let node: NodeUnderTest;
let stop: AbortController;
beforeEach(() => {
  node = startNode({}, msOf('2026-11-21T01:50:00Z'));
  stop = new AbortController();
});
afterEach(async () => {
  stop.abort();
  await node.close();
});

type Chunks = ReturnType<typeof chunksOf>;

async function follow(name: string): Promise<Chunks> {
  return chunksOf(await node.ask(recording(name).request.path, stop.signal));
}

/** Reads until that many bytes have arrived. */
async function take(chunks: Chunks, bytes: number): Promise<string> {
  let text = '';
  while (text.length < bytes)
    text += (await chunks.next()) ?? expect.fail(`ended after ${text.length} bytes`);
  return text;
}

/**
 * Expects that nothing more arrives, and that the stream does not end, until the client disconnects. `ms` of the node's
 * time pass.
 */
async function expectOpen(chunks: Chunks, ms: number): Promise<void> {
  let result: string | undefined = 'open';
  const next = chunks.next().then((chunk) => {
    result = chunk;
  });
  await node.clock.advance(ms);
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(result).toBe('open');
  stop.abort();
  await next;
  expect(result).toBeUndefined();
}

async function expectEnd(chunks: Chunks): Promise<void> {
  const next = chunks.next();
  await node.clock.advance(1000);
  expect(await next).toBeUndefined();
}

const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

describe('follows as recorded: a chunk a line, and the end', () => {
  type End = (run: ContainerRun) => void;
  const open: End = () => {};
  const exit: End = (run) => node.runtime.exit(run.containerId, 0);
  const kubeletStops: End = () => node.runtime.kubeletDown('node-1');
  const remove: End = (run) => node.runtime.removePod(run.podUid);

  it.each<[name: string, backlogLines: number, end: End]>([
    ['follow-running', 2, open],
    ['follow-running-http2', 2, open],
    ['follow-tail-0', 0, open],
    ['follow-kubelet-stops', 1, kubeletStops],
    ['follow-kubelet-stops-http2', 1, kubeletStops],
    ['follow-until-exit', 1, exit],
    ['follow-until-restart', 2, exit],
    ['follow-pod-deleted', 2, exit],
    ['follow-pod-deleted-sigkill', 1, exit],
    ['follow-pod-force-deleted', 2, remove],
  ])('%s', async (name, backlogLines, end) => {
    const exchange = recording(name);
    const [, pod = ''] = /namespaces\/(\S+\/pods\/[^/]+)/.exec(exchange.request.path) ?? [];
    const run = node.run(pod.replace('/pods/', '/'));
    const lines = linesOf(exchange.body.toString());
    const write = (text: string) => node.runtime.write(run.containerId, { bytes: utf8(text) });
    if (exchange.request.path.includes('tailLines')) write('older\n');
    write(lines.slice(0, backlogLines).join(''));
    const chunks = await follow(name);
    const backlog = lines.slice(0, backlogLines).join('');
    let body = await take(chunks, backlog.length);
    for (const line of lines.slice(backlogLines)) {
      write(line);
      if (!line.endsWith('\n')) end(run);
      const chunk = await chunks.next();
      expect(chunk).toBe(line);
      body += chunk;
    }
    expect(body).toBe(exchange.body.toString());
    if (end === open) return expectOpen(chunks, 4000);
    if (body.endsWith('\n')) end(run);
    await expectEnd(chunks);
  });

  it('follow-limitbytes: ends at the limit, in mid-line', async () => {
    const run = node.run('lab/ticker');
    const write = (text: string) => node.runtime.write(run.containerId, { bytes: utf8(text) });
    write('tick 946\n');
    const chunks = await follow('follow-limitbytes');
    const seen: (string | undefined)[] = [];
    for (const tick of [947, 948, 949, 950]) {
      write(`tick ${tick}\n`);
      seen.push(await chunks.next());
    }
    expect(seen).toEqual(recording('follow-limitbytes').notes.timeline?.reads.map((read) => read.text));
    expect(await chunks.next()).toBeUndefined();
  });

  it('follow-running-timestamps', async () => {
    const lines = linesOf(recording('follow-running-timestamps').body.toString());
    const run = node.run('lab/ticker');
    putStamped(node, run.containerId, '2026-11-21T01:55:44.890000000Z tick 876\n');
    const chunks = await follow('follow-running-timestamps');
    for (const line of lines) {
      putStamped(node, run.containerId, line);
      expect(await chunks.next()).toBe(line);
    }
  });

  it('follow-since-future: withholds lines until the time', async () => {
    const lines = linesOf(recording('follow-since-future').body.toString());
    const run = node.run('lab/ticker');
    putStamped(node, run.containerId, '2026-11-21T01:55:55.932000000Z tick 920\n');
    const chunks = await follow('follow-since-future');
    putStamped(node, run.containerId, '2026-11-21T01:55:58.932000000Z tick 932\n');
    for (const line of lines) {
      putStamped(node, run.containerId, line);
      expect(await chunks.next()).toBe(line);
    }
  });

  it('follow-right-after-restart: the old run again, whole, while the status still reports it', async () => {
    const body = recording('follow-right-after-restart').body.toString();
    const first = node.run('lab/restarter');
    node.runtime.write(first.containerId, { bytes: utf8(body) });
    node.runtime.exit(first.containerId, 1);
    const second = node.start('lab/restarter', 'main', 1);
    node.runtime.write(second.containerId, { bytes: utf8('run started\n') });
    const chunks = await follow('follow-right-after-restart');
    expect(await take(chunks, body.length)).toBe(body);
    await expectEnd(chunks);
  });

  it.each(['follow-silent', 'follow-headers-when-nothing-to-say'])(
    '%s: answers at once and stays open',
    async (name) => {
      const run = node.run(name === 'follow-silent' ? 'lab/silent' : 'lab/quiet');
      if (name !== 'follow-silent') putFile(node, run.containerId, 'quiet/0.log');
      await expectOpen(await follow(name), 4000);
    },
  );

  it.each(['follow-idle-300s', 'follow-idle-300s-http2'])('%s: no keep-alive and no end', async (name) => {
    const run = node.run('lab/quiet');
    putFile(node, run.containerId, 'quiet/0.log');
    const chunks = await follow(name);
    expect(await chunks.next()).toBe('five\n');
    await expectOpen(chunks, 300_000);
  });

  it('follow-runtime-restarts: a pause, then the backlog with the time of its reading, in the new zone', async () => {
    const lines = linesOf(recording('follow-runtime-restarts').body.toString());
    const run = node.run('lab/ticker');
    putStamped(node, run.containerId, lines[0] ?? '');
    const chunks = await follow('follow-runtime-restarts');
    let body = (await chunks.next()) ?? '';
    for (const line of lines.slice(1, 7)) {
      putStamped(node, run.containerId, line);
      body += await chunks.next();
    }
    node.runtime.runtimeDown('node-1');
    for (const line of lines.slice(7, 14)) {
      const bytes = utf8(line.slice(line.indexOf(' ') + 1));
      expect(node.runtime.write(run.containerId, { bytes })).toBe(true);
    }
    node.runtime.setTimeZone('node-1', 330);
    await node.clock.advance(msOf('2026-11-21T02:12:37.055Z') - node.clock.now());
    node.runtime.runtimeUp('node-1');
    body += await take(chunks, lines.slice(7, 14).join('').length);
    for (const line of lines.slice(14)) {
      const at = stamp(line.slice(0, line.indexOf(' ')));
      const bytes = utf8(line.slice(line.indexOf(' ') + 1));
      node.runtime.write(run.containerId, { bytes, at });
      body += await chunks.next();
    }
    // The runtime chooses the nanoseconds of the backlog.
    const blurred = (text: string) => text.replace(/(02:12|07:42):37\.0\d{8}/g, '$1:37.0');
    expect(blurred(body)).toBe(blurred(lines.join('')));
  });
});

describe('chunks as recorded on the wire', () => {
  it('raw-http1-follow: the backlog in one, then one a line', async () => {
    const expected = httpChunks(recording('raw-http1-follow'));
    const run = node.run('lab/ticker');
    node.runtime.write(run.containerId, { bytes: utf8(`tick 2775\n${expected[0]}`) });
    const chunks = await follow('raw-http1-follow');
    const seen = [await chunks.next()];
    for (const line of expected.slice(1)) {
      node.runtime.write(run.containerId, { bytes: utf8(line) });
      seen.push(await chunks.next());
    }
    expect(seen).toEqual(expected);
  });

  it.each(['raw-http1-hundred-lines', 'raw-http1-plain'])('%s', async (name) => {
    const expected = httpChunks(recording(name));
    const run = node.run(name === 'raw-http1-plain' ? 'lab/quiet' : 'lab/hundred');
    node.runtime.write(run.containerId, { bytes: utf8(expected.join('')) });
    const chunks = await follow(name);
    const seen: string[] = [];
    for (let chunk = await chunks.next(); chunk !== undefined; chunk = await chunks.next()) seen.push(chunk);
    expect(seen).toEqual(expected);
  });
});

/** Counts the lines of a writer that numbers them, and finds the numbers that are missing. */
function countedIn(text: string) {
  const numbers = [...text.matchAll(/^seq (\d+) a{84}$/gm)].map((match) => Number(match[1]));
  const gaps = numbers.flatMap((number, index) => {
    const missing = (numbers[index + 1] ?? number + 1) - number - 1;
    return missing === 0 ? [] : [{ after: number, missing }];
  });
  return { lines: numbers.length, gaps };
}

type Facts = NonNullable<ReturnType<typeof recording>['facts']>;

/** Follows the writer of the recording, which numbers its lines; rotates where it did. Returns what the follow read. */
async function followRotated(name: string, facts: Facts): Promise<string> {
  const run = node.run(name.endsWith('fast') ? 'lab/rotator-fast' : 'lab/rotator');
  const chunks = await follow(name);
  const [gap] = facts.gaps;
  let text = '';
  let sent = 0;
  let lost = 0;
  let inFile = 0;
  for (let line = facts.first; line <= facts.last; line++) {
    const bytes = utf8(`seq ${line} ${'a'.repeat(84)}\n`);
    node.runtime.write(run.containerId, { bytes });
    if (lost > 0) lost -= 1;
    else sent += bytes.length;
    if (line === gap?.after) lost = gap.missing;
    inFile += 1;
    if (line === gap?.after || inFile === 900) {
      node.runtime.rotate(run.containerId, lost);
      inFile = 0;
    }
    // Let the reader reach the new file before the next rotation, as it did with these writers.
    if (inFile === 100) text += await take(chunks, sent - text.length);
  }
  text += await take(chunks, sent - text.length);
  node.runtime.exit(run.containerId, 0);
  await expectEnd(chunks);
  return text;
}

describe('follows across rotations as recorded', () => {
  it.each(['follow-across-rotation', 'follow-across-rotation-fast'])(
    '%s: as many lines, and the same ones lost',
    async (name) => {
      const { facts, response } = recording(name);
      if (facts === undefined) throw new Error('the recording counts its lines');
      const text = await followRotated(name, facts);
      expect(text.length).toBe(response.bodyBytes);
      expect(countedIn(text)).toEqual({ lines: facts.lines, gaps: facts.gaps });
    },
  );
});
