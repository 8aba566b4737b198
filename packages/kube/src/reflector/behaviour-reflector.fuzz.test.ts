import fc from 'fast-check';
import { expect, test } from 'vitest';
import { httpAnswer } from '../../../../test/support/fuzz/bytes-agent.ts';
import { bytesClient, runDown, settle } from '../../../../test/support/fuzz/bytes-client.ts';
import { damage, damaged } from '../../../../test/support/fuzz/damage.ts';
import { expectCleanPrototypes } from '../../../../test/support/fuzz/escaped.ts';
import { FUZZ, FUZZED, HANG_MS } from '../../../../test/support/fuzz/seed.ts';
import { PODS } from '../builtin-resources.ts';
import type { KubeObject, ReflectorEvent } from '../client.ts';
import { KubeError } from '../errors.ts';

/**
 * The state in which every history ends, once the server is healthy: one pod, which did not exist before, changed once.
 */
const [TRUTH, LISTED, CHANGED] = ['truth', '777000', '777001'];
/** More requests than recovery takes, whatever came before. */
const MAX_REQUESTS = 80;

const pod = (name: string, resourceVersion: string) => ({
  metadata: { name, namespace: 'shop', uid: `uid-${name}`, resourceVersion },
});
const json = (value: unknown) => JSON.stringify(value);
const list = (resourceVersion: string, items: readonly object[], more = '') =>
  httpAnswer(200, json({ kind: 'PodList', metadata: { resourceVersion, continue: more }, items }), '', true);
const status = (code: number, reason: string) => ({ kind: 'Status', status: 'Failure', code, reason });
const refusal = (code: number, reason: string) =>
  httpAnswer(code, json(status(code, reason)), 'Retry-After: 1\r\n');
const events = (...all: readonly (readonly [type: string, object: object])[]) =>
  httpAnswer(200, all.map(([type, object]) => `${json({ type, object })}\n`).join(''), '', true);

const EXPIRED = ['ERROR', status(410, 'Expired')] as const;
const BOOKMARK = ['BOOKMARK', { metadata: { resourceVersion: '9' } }] as const;
/** What a server reports about a collection before it settles. */
const LISTS = [
  list('7', [pod('a', '1'), pod('b', '2')]),
  list('8', []),
  list('8', [pod('a', '1')], 'next'),
  list('', [pod('a', ''), pod('__proto__', '5')]),
  refusal(410, 'Expired'),
  refusal(403, 'Forbidden'),
  refusal(429, 'TooManyRequests'),
];
const WATCHES = [
  events(['ADDED', pod('c', '8')], ['MODIFIED', pod('a', '9')], BOOKMARK, ['DELETED', pod('c', '10')]),
  events(['ADDED', pod('c', '8')], EXPIRED),
  events(EXPIRED),
  events(BOOKMARK),
  events(),
  refusal(410, 'Gone'),
  refusal(403, 'Forbidden'),
  refusal(503, 'ServiceUnavailable'),
];

/** Returns the answer of a settled server: one that has forgotten every version but its own. */
function soundAnswer(line: string): Buffer {
  const { searchParams, pathname } = new URL(line.split(' ')[1] ?? '', 'http://cluster.invalid');
  if (pathname.endsWith(`/pods/${TRUTH}`)) return httpAnswer(200, json(pod(TRUTH, CHANGED)));
  if (searchParams.has('continue')) return refusal(410, 'Expired');
  if (!searchParams.has('watch')) return list(LISTED, [pod(TRUTH, LISTED)]);
  const version = searchParams.get('resourceVersion');
  if (version === CHANGED) return events();
  return version === LISTED ? events(['MODIFIED', pod(TRUTH, CHANGED)]) : events(EXPIRED);
}

const harmed = (answers: readonly Buffer[]) =>
  fc
    .tuple(fc.constantFrom(...answers), damage, fc.boolean(), fc.constantFrom(1, 7, 100, 65_536))
    .map(([whole, how, reset, chunkBytes]) => ({ bytes: damaged(whole, how), reset, chunkBytes }));

const histories = fc.record({
  lists: fc.array(harmed(LISTS), { maxLength: 3 }),
  watches: fc.array(harmed(WATCHES), { maxLength: 5 }),
  name: fc.constantFrom(undefined, undefined, undefined, TRUTH),
  /** Ctrl-C in the middle of a history. */
  stopAt: fc.constantFrom(...Array<undefined>(6).fill(undefined), 1, 2, 4),
});
type History = typeof histories extends fc.Arbitrary<infer T> ? T : never;

/** The versions of the pods that a reader knows, by name. */
type Held = Map<string, string>;

function apply(held: Held, event: Exclude<ReflectorEvent<KubeObject>, { readonly type: 'state' }>): void {
  if (event.type === 'snapshot') held.clear();
  for (const { metadata } of event.type === 'snapshot' ? event.objects : [event.object]) {
    if (event.type === 'deleted') held.delete(metadata.name);
    else held.set(metadata.name, metadata.resourceVersion);
  }
}

function isTrue(held: Held): boolean {
  const [[name, version] = [], ...others] = held;
  // Without permission to watch, an unchanged list shows no change.
  return others.length === 0 && name === TRUTH && (version === CHANGED || version === LISTED);
}

/** Follows until the reader knows the truth, or is stopped. */
async function follow(
  events: AsyncIterable<ReflectorEvent<KubeObject>>,
  held: Held,
): Promise<'truth' | 'stopped'> {
  for await (const event of events) {
    if (event.type === 'state') continue;
    apply(held, event);
    if (isTrue(held)) return 'truth';
  }
  return 'stopped';
}

/** Returns how a reader of this history ends. */
async function play({ lists, watches, name, stopAt }: History): Promise<'truth' | 'stopped' | 'refused'> {
  let asked = 0;
  const stop = new AbortController();
  const pending = { list: [...lists], watch: [...watches] };
  const { client, clock } = bytesClient((line) => {
    if (++asked === stopAt) setImmediate(() => stop.abort());
    if (asked > MAX_REQUESTS) stop.abort();
    const harm = pending[line.includes('watch=true') ? 'watch' : 'list'].shift();
    return harm ?? { bytes: soundAnswer(line), reset: false, chunkBytes: 65_536 };
  });
  const held: Held = new Map();
  const events = client.reflect(PODS, { namespace: 'shop', name }, { signal: stop.signal });
  const end = await settle(clock, follow(events, held))
    .catch((error: unknown) => {
      // Only the first read may fail.
      if (!(error instanceof KubeError)) throw error;
      expect([...held]).toEqual([]);
      return 'refused' as const;
    })
    .finally(() => client.close());
  if (end === 'stopped') expect(stopAt).toBeDefined();
  expect(asked).toBeLessThan(MAX_REQUESTS);
  await runDown(clock);
  return end;
}

test(
  `a reflector is correct again once the server is, whatever came before (${FUZZED})`,
  async () => {
    const ends = new Map<string, number>();
    const unhandled: unknown[] = [];
    const onUnhandled = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', onUnhandled);
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const end = await play(history);
        ends.set(end, (ends.get(end) ?? 0) + 1);
        expect(unhandled).toEqual([]);
      }),
      FUZZ,
    );
    process.off('unhandledRejection', onUnhandled);
    for (const end of ['truth', 'stopped', 'refused'])
      expect(ends.get(end) ?? 0).toBeGreaterThan(FUZZ.numRuns / 50);
    expectCleanPrototypes('collections');
  },
  HANG_MS,
);
