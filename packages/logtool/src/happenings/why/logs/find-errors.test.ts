import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ContainerTarget } from '../../../domain/container.ts';
import { makeRun } from '../../../domain/record.ts';
import { bucketsOf, findErrors } from './find-errors.ts';
import { LEAD_SECONDS } from './lead.ts';
import { LogDigest, type LogGap, MAX_KINDS } from './log-digest.ts';
import { MAX_NEW } from './new-lines.ts';

/** A range of one hour. */
const FROM = 100_000;
const TO = FROM + 3_600;
const at = (seconds: number) => ({ seconds, nanos: 0 });
const encoder = new TextEncoder();

/** Seconds after the beginning, the container, and what it writes. */
type Line = readonly [second: number, container: string, text: string];

interface Options {
  /** When the pods of a container started, in seconds after the beginning. */
  readonly startedAt?: Readonly<Record<string, number>>;
}

/** `pod/container`; a pod's workload is its name before the last dash. */
function targetOf(name: string, startedAt = -1_000): ContainerTarget {
  const [pod = '', container = 'app'] = name.split('/');
  return {
    id: name,
    namespace: 'shop',
    pod,
    podUid: pod,
    container,
    kind: 'regular',
    placement: {},
    state: { kind: 'running', containerId: name, startedAt: at(FROM + startedAt) },
    restartCount: 0,
    lastContainerId: undefined,
    mayRestart: true,
    podPhase: 'Running',
    deleting: false,
    workload: { ownerKind: 'ReplicaSet', name: pod.replace(/-\w+$/, '') },
  };
}

function digestsOf(lines: readonly Line[], { startedAt = {} }: Options = {}): readonly LogDigest[] {
  const names = [...new Set(lines.map(([, name]) => name))];
  return names.map((name) => {
    const target = targetOf(name, startedAt[name]);
    const run = makeRun(target, name);
    const digest = new LogDigest(target, bucketsOf(at(FROM), at(TO)));
    const own = lines.filter(([, container]) => container === name).sort(([a], [b]) => a - b);
    for (const [seq, [second, , text]] of own.entries())
      digest.add({
        run,
        at: { seconds: FROM + Math.floor(second), nanos: Math.round((second % 1) * 1e9) },
        seq,
        message: encoder.encode(text),
        partial: false,
        late: false,
      });
    digest.finish();
    return digest;
  });
}

const decoder = new TextDecoder();

/** Summarizes the findings: for each workload, the first error and what was new before it. */
function foundIn(lines: readonly Line[], options?: Options) {
  const { begun, steady } = findErrors(digestsOf(lines, options), at(FROM), at(TO));
  return {
    begun: begun.map(({ container, targets, errors, firstError, isFirstNew, newBefore, isOver, since }) => ({
      container: `${targets[0]?.workload?.name}/${container}`,
      errors,
      since: since.seconds - FROM,
      first: decoder.decode(firstError.record.message),
      isFirstNew,
      isOver,
      before: newBefore.map(({ record }) => decoder.decode(record.message)),
    })),
    steady: steady.map(({ targets, errors }) => `${targets.map(({ id }) => id).join()} ${errors}`),
  };
}

/** Repeats the same line. */
function every(
  seconds: number,
  [from, to]: readonly [number, number],
  name: string,
  text: (count: number) => string,
): readonly Line[] {
  return Array.from({ length: Math.floor((to - from) / seconds) }, (_, count) => [
    from + count * seconds,
    name,
    text(count),
  ]);
}

const WHOLE = [0, 3_600] as const;
const usual = (name = 'web-a/app') => every(20, WHOLE, name, (count) => `INFO order ord-${count} accepted`);
const errors = (from: number, name = 'web-a/app', text = 'no connection in 3000ms') =>
  every(5, [from, 3_600], name, (count) => `ERROR charge ${count} failed: ${text}`);

test('errors that begin have their time, their number, the first of them and what was new before', () => {
  const { begun, steady } = foundIn([
    ...usual(),
    ...errors(2_000),
    [1_980, 'web-a/app', 'WARN pool grows to 60 connections'],
  ]);
  expect(steady).toEqual([]);
  expect(begun).toEqual([
    {
      container: 'web/app',
      errors: 320,
      since: 2_000,
      first: 'ERROR charge 0 failed: no connection in 3000ms',
      isFirstNew: true,
      isOver: false,
      before: ['WARN pool grows to 60 connections'],
    },
  ]);
});

interface Ranked {
  readonly lines: readonly Line[];
  readonly before: readonly string[];
  readonly options?: Options;
}

/** What is new before errors that begin after 2,000 seconds. */
const RANKED: Readonly<Record<string, Ranked>> = {
  'nothing new': { lines: [], before: [] },
  'a line that was read before, with other values': {
    lines: [
      [100, 'web-a/app', 'WARN pool of 10 grows to 20'],
      [1_990, 'web-a/app', 'WARN pool of 20 grows to 60'],
    ],
    before: [],
  },
  'a line that another pod wrote before': {
    lines: [
      [100, 'web-b/app', 'INFO cache is cold'],
      [1_990, 'web-a/app', 'INFO cache is cold'],
    ],
    before: [],
  },
  'information alone, in another container': {
    lines: [[1_990, 'db-0/postgres', 'INFO flag new-ranking is on']],
    before: ['INFO flag new-ranking is on'],
  },
  'a warning before information that is nearer and rarer': {
    lines: [
      [1_900, 'db-0/postgres', 'WARN disk of pg is nearly full'],
      [1_910, 'db-0/postgres', 'WARN disk of pg is nearly full'],
      [1_998, 'web-a/app', 'INFO cleanup done'],
    ],
    before: ['WARN disk of pg is nearly full', 'INFO cleanup done'],
  },
  'rare before frequent': {
    lines: [
      ...every(2, [1_900, 3_000], 'web-a/app', () => 'WARN queue grows'),
      [1_800, 'web-a/app', 'WARN retries are on'],
    ],
    before: ['WARN retries are on', 'WARN queue grows'],
  },
  'near before far': {
    lines: [
      [900, 'web-a/app', 'WARN certificate renewed'],
      [1_990, 'web-a/app', 'WARN retries are on'],
    ],
    before: ['WARN retries are on', 'WARN certificate renewed'],
  },
  'of what is as near the earlier first': {
    lines: [
      [1_971, 'api-a/app', 'WARN rates url is not set'],
      [1_972, 'api-a/app', 'ERROR cannot serve rates'],
    ],
    before: ['WARN rates url is not set', 'ERROR cannot serve rates'],
  },
  'too long before': {
    lines: [[2_000 - LEAD_SECONDS - 1, 'web-a/app', 'WARN retries are on']],
    before: [],
  },
  'so early that nothing can be called new': {
    lines: [[200, 'web-a/app', 'WARN retries are on']],
    before: [],
  },
  'after the first error': { lines: [[2_001, 'web-a/app', 'WARN retries are on']], before: [] },
  'what a pod writes as it starts, after what others write': {
    lines: [
      [1_700, 'web-b/app', 'INFO listening on port 8080'],
      [1_990, 'web-a/app', 'INFO retries are on'],
    ],
    options: { startedAt: { 'web-b/app': 1_698 } },
    before: ['INFO retries are on', 'INFO listening on port 8080'],
  },
  'a warning as it starts before information of others': {
    lines: [
      [1_700, 'web-b/app', 'WARN setting rates is missing'],
      [1_990, 'web-a/app', 'INFO retries are on'],
    ],
    options: { startedAt: { 'web-b/app': 1_698 } },
    before: ['WARN setting rates is missing', 'INFO retries are on'],
  },
  'names in words of a kind of line that comes all the time': {
    lines: every(60, [0, 2_000], 'web-a/app', (count) => `INFO user ${letters(count)} signed in`),
    before: [],
  },
  'a rare harmless line is new too: it stands last': {
    lines: [
      [400, 'web-a/app', 'INFO checkpoint complete'],
      [1_990, 'web-a/app', 'WARN retries are on'],
    ],
    before: ['WARN retries are on', 'INFO checkpoint complete'],
  },
  'the message of a structured line counts, not its other fields': {
    lines: [
      [100, 'web-a/app', '{"level":"warn","msg":"slow query","table":"orders"}'],
      [1_990, 'web-a/app', '{"level":"warn","msg":"slow query","table":"carts"}'],
      [1_991, 'web-a/app', '{"level":"info","msg":"pool resized","table":"carts"}'],
    ],
    before: ['{"level":"info","msg":"pool resized","table":"carts"}'],
  },
  'a trace with another cause is another line': {
    lines: [
      ...trace(100, 'SocketTimeoutException: read timed out'),
      ...trace(1_990, 'SSLException: certificate unknown'),
    ],
    before: ['WARN cannot renew'],
  },
};

/** Returns a word without digits. */
function letters(count: number): string {
  return `${[...String(count)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}son`;
}

function trace(second: number, cause: string): readonly Line[] {
  return [
    [second, 'web-a/app', 'WARN cannot renew'],
    [second + 0.1, 'web-a/app', 'java.lang.IllegalStateException: renewal'],
    [second + 0.2, 'web-a/app', '\tat com.shop.Renewal.run(Renewal.java:12)'],
    [second + 0.3, 'web-a/app', `Caused by: javax.net.${cause}`],
  ];
}

test.each(Object.entries(RANKED))('new before the errors: %s', (_, { lines, before, options }) => {
  const { begun } = foundIn([...usual(), ...errors(2_000), ...lines], options);
  expect(begun[0]?.first).toContain('charge');
  expect(begun[0]?.before).toEqual(before);
});

interface Onset {
  readonly lines: readonly Line[];
  readonly options?: Options;
  /** Where errors begin, and the first of them. */
  readonly begun: readonly (readonly [since: number, first: string])[];
  readonly steady?: readonly string[];
}

const ONSETS: Readonly<Record<string, Onset>> = {
  'no errors': { lines: usual(), begun: [] },
  'errors all the time': { lines: [...usual(), ...errors(0)], begun: [], steady: ['web-a/app 720'] },
  'errors all the time, of a pod that began in the range': {
    lines: [...every(20, [1_800, 3_600], 'web-a/app', () => 'INFO fine'), ...errors(1_810)],
    options: { startedAt: { 'web-a/app': 1_795 } },
    begun: [],
    steady: ['web-a/app 358'],
  },
  'errors all the time, of a log that its node has cut off': {
    lines: [...every(1, [1_800, 3_600], 'web-a/app', () => 'INFO fine'), ...errors(1_801)],
    begun: [],
    steady: ['web-a/app 359'],
  },
  'another error above the noise of one': {
    lines: [
      ...every(40, WHOLE, 'web-a/app', (count) => `ERROR suggestion ${count} timed out`),
      ...errors(2_000),
    ],
    begun: [[2_000, 'ERROR charge 0 failed: no connection in 3000ms']],
  },
  'two workloads, the earlier first': {
    lines: [...usual(), ...usual('api-a/app'), ...errors(2_500), ...errors(2_000, 'api-a/app', 'refused')],
    begun: [
      [2_000, 'ERROR charge 0 failed: refused'],
      [2_500, 'ERROR charge 0 failed: no connection in 3000ms'],
    ],
  },
  'pods of one workload are one': {
    lines: [...usual(), ...usual('web-b/app'), ...errors(2_500), ...errors(2_000, 'web-b/app')],
    begun: [[2_000, 'ERROR charge 0 failed: no connection in 3000ms']],
  },
  'an access log that answers 500': {
    lines: [
      ...every(
        10,
        WHOLE,
        'web-a/app',
        () => '10.0.0.1 - - [22/Nov/2026:11:00:00 +0000] "GET / HTTP/1.1" 200 12',
      ),
      ...every(
        5,
        [2_000, 3_600],
        'web-a/app',
        () => '10.0.0.1 - - [22/Nov/2026:11:00:00 +0000] "GET / HTTP/1.1" 503 12',
      ),
    ],
    begun: [[2_000, '10.0.0.1 - - [22/Nov/2026:11:00:00 +0000] "GET / HTTP/1.1" 503 12']],
  },
};

test.each(Object.entries(ONSETS))('where errors begin: %s', (_, { lines, begun, steady = [], options }) => {
  const found = foundIn(lines, options);
  expect(found.begun.map(({ since, first }) => [since, first])).toEqual(begun);
  expect(found.steady).toEqual(steady);
});

/** Adds a gap to the log of a container, finds errors, and returns where they begin and which have no beginning. */
function foundAfter(own: LogGap, lines: readonly Line[], name = 'web-a/app') {
  const digests = digestsOf(lines);
  digests.find(({ target }) => target.id === name)?.gaps.push(own);
  const { begun, steady } = findErrors(digests, at(FROM), at(TO));
  return {
    begun: begun.map(({ since }) => since.seconds - FROM),
    gaps: begun.map((each) => each.gap && [each.gap.target.id, (each.gap.from?.seconds ?? NaN) - FROM]),
    steady: steady.map(({ targets, errors: count, since, until, mayBeOlder }) => [
      targets.map(({ id }) => id).join(),
      count,
      since.seconds - FROM,
      until.seconds - FROM,
      mayBeOlder,
    ]),
  };
}

const LOST = ['previous-unreadable', 'runs-gone', 'begins-late', 'rotated', 'run-begins-late'] as const;

test.each(LOST)('errors from the first line after lost lines on do not begin there: %s', (why) => {
  const some = every(5, [2_000, 2_200], 'web-a/app', (count) => `ERROR charge ${count} failed`);
  expect(foundAfter(gap(why, undefined, 2_000), some)).toEqual({
    begun: [],
    gaps: [],
    steady: [['web-a/app', 40, 2_000, 2_195, true]],
  });
});

test('errors that come after quiet lines begin there, though earlier lines are lost', () => {
  const quiet = usual().filter(([second]) => second >= 2_000);
  expect(foundAfter(gap('runs-gone', undefined, 2_000), [...quiet, ...errors(2_500)]).begun).toEqual([2_500]);
});

test('errors from the first line of one pod on do not begin there because another pod is quiet', () => {
  const lines = [...usual('web-b/app'), ...errors(2_000)];
  expect(foundAfter(gap('runs-gone', undefined, 2_000), lines)).toEqual({
    begun: [],
    gaps: [],
    steady: [['web-a/app', 320, 2_000, 3_595, true]],
  });
  // What begins in the other pod has its beginning; the errors of the first keep theirs open.
  const later = every(1, [2_800, 3_600], 'web-b/app', () => 'ERROR no route');
  const found = foundAfter(gap('runs-gone', undefined, 2_000), [...lines, ...later]);
  expect(found.begun).toEqual([2_800]);
  expect(found.steady).toEqual([['web-a/app', 320, 2_000, 3_595, true]]);
});

test.each([
  [every(5, [0, 200], 'web-a/app', () => 'ERROR no route'), -1_000, true],
  [every(5, [0, 200], 'web-a/app', () => 'ERROR no route'), 1, false],
  [[[1_000, 'web-a/app', 'ERROR no route']] as const, -1_000, false],
])(
  'errors without a beginning may be older only if they come first in what was read: %#',
  (some, startedAt, older) => {
    const digests = digestsOf([...usual(), ...some], { startedAt: { 'web-a/app': startedAt } });
    expect(findErrors(digests, at(FROM), at(TO)).steady).toMatchObject([{ mayBeOlder: older }]);
  },
);

test('errors soon after the start of all containers of a workload begin with them, as far as logtool can read', () => {
  const errorsOf = (begin: number, restarted = false) => {
    const names = ['web-a/app', 'web-b/app'];
    const some = names.flatMap((name) => every(5, [begin, 3_600], name, () => 'ERROR no route'));
    const startedAt = { 'web-a/app': 2_000, 'web-b/app': restarted ? -1_000 : 2_004 };
    return findErrors(digestsOf(some, { startedAt }), at(FROM), at(TO)).steady;
  };
  expect(errorsOf(2_030)).toMatchObject([{ startedAt: at(FROM + 2_000), mayBeOlder: false }]);
  expect(errorsOf(2_030, true)[0]?.startedAt).toBeUndefined();
  expect(errorsOf(2_800)[0]?.startedAt).toBeUndefined();
});

test('errors from the first line after a gap in a known log may have begun in it', () => {
  const quiet = usual().filter(([second]) => second < 2_000);
  const lines = [...quiet, ...errors(2_300)];
  expect(foundAfter(gap('rotated', 1_980, 2_300), lines)).toMatchObject({
    begun: [2_300],
    gaps: [['web-a/app', 1_980]],
  });
  expect(foundAfter(gap('rotated', 1_000, 1_500), [...usual(), ...errors(2_300)]).gaps).toEqual([undefined]);
});

test('known errors that come more often are not of a new kind', () => {
  const noise = every(120, WHOLE, 'web-a/app', (count) => `ERROR charge ${count} failed: refused`);
  const { begun } = foundIn([...noise, ...errors(2_000, 'web-a/app', 'refused')]);
  expect(begun.map(({ isFirstNew }) => isFirstNew)).toEqual([false]);
});

test('errors are over when none comes for long', () => {
  const some = every(5, [2_000, 2_400], 'web-a/app', (count) => `ERROR charge ${count} failed`);
  expect(foundIn([...usual(), ...some]).begun).toMatchObject([{ isOver: true, errors: 80 }]);
  const slow = every(30, [2_000, 3_600], 'web-a/app', (count) => `ERROR charge ${count} failed`);
  expect(foundIn([...usual(), ...slow]).begun).toMatchObject([{ isOver: false, errors: 53 }]);
});

test('errors whose end is unread are not over', () => {
  const some = every(5, [2_000, 2_400], 'web-a/app', (count) => `ERROR charge ${count} failed`);
  const digests = digestsOf([...usual().filter(([second]) => second < 2_410), ...some]);
  for (const digest of digests) digest.isComplete = false;
  expect(findErrors(digests, at(FROM), at(TO)).begun).toMatchObject([{ isOver: false, errors: 80 }]);
});

test('errors that begin early have no line before them that can be called new', () => {
  const lines: Line[] = [...usual(), ...errors(250), [240, 'web-a/app', 'WARN retries are on']];
  const [early] = findErrors(digestsOf(lines), at(FROM), at(TO)).begun;
  expect([early?.lead.seconds, early?.newCount]).toEqual([undefined, 0]);
});

/** Returns the time before the first error of `web-a/app` in which a new line would have been found. */
function leadOf(
  lines: readonly Line[],
  change: (digests: readonly LogDigest[]) => void = () => undefined,
  range: readonly [number, number] = WHOLE,
) {
  const [begin, end] = range;
  const digests = digestsOf(lines.filter(([second]) => second >= begin && second < end));
  change(digests);
  const [found] = findErrors(digests, at(FROM + begin), at(FROM + end)).begun;
  return [found?.lead.seconds, found?.lead.without.map(({ id }) => id)];
}

/** A time in which lines are missing, in seconds after the beginning. */
const gap = (why: LogGap['why'], from: number | undefined, to: number | undefined): LogGap => ({
  why,
  from: from === undefined ? undefined : at(FROM + from),
  to: to === undefined ? undefined : at(FROM + to),
  isAfterLine: from !== undefined,
});

test('it claims that nothing was new only for the time that logtool read', () => {
  const lines = [...usual(), ...usual('db-0/app'), ...errors(2_500)];
  expect(leadOf(lines)).toEqual([LEAD_SECONDS, []]);
  expect(leadOf(lines, undefined, [1_500, 3_500])).toEqual([700, []]);
});

test('it claims that nothing was new only from where a log begins, and after its last gap', () => {
  const late = [...usual().filter(([second]) => second >= 2_000), ...errors(2_500)];
  const add = (own: LogGap) => (digests: readonly LogDigest[]) => void digests[0]?.gaps.push(own);
  expect(leadOf(late, add(gap('previous-unreadable', undefined, 2_000)))).toEqual([200, []]);
  expect(leadOf([...usual(), ...errors(2_500)], add(gap('end-unread', 1_000, 2_300)))).toEqual([199, []]);
  expect(leadOf([...usual(), ...errors(2_500)], add(gap('rotated', 2_600, 2_700)))).toEqual([
    LEAD_SECONDS,
    [],
  ]);
});

test('it names a log whose read ended before the first error', () => {
  const lines = [...usual(), ...usual('db-0/app').filter(([second]) => second < 2_400), ...errors(2_500)];
  const cut = (digests: readonly LogDigest[]) => {
    for (const digest of digests) if (digest.target.id === 'db-0/app') digest.isComplete = false;
  };
  expect(leadOf(lines, cut)).toEqual([LEAD_SECONDS, ['db-0/app']]);
});

test('after a gap, the first lines are not called new', () => {
  const some = every(5, [2_500, 2_600], 'web-a/app', (count) => `ERROR charge ${count} failed`);
  const lines: Line[] = [[2_010, 'web-a/app', 'WARN first of its kind'], [2_020, 'web-a/app', 'up'], ...some];
  const digests = digestsOf(lines);
  const newCount = () => findErrors(digests, at(FROM), at(TO)).begun[0]?.newCount;
  expect(newCount()).toBe(2);
  digests[0]?.gaps.push(gap('previous-unreadable', undefined, 2_000));
  expect(newCount()).toBe(0);
});

test('a stack trace is one error', () => {
  const traces = every(10, [2_000, 3_000], 'web-a/app', () => '').flatMap(([second]): readonly Line[] => [
    [second, 'web-a/app', 'ERROR charge failed'],
    [second + 0.1, 'web-a/app', 'java.lang.IllegalStateException: boom'],
    [second + 0.2, 'web-a/app', '\tat com.shop.Cart.add(Cart.java:12)'],
  ]);
  expect(foundIn([...usual(), ...traces]).begun).toMatchObject([{ errors: 100 }]);
});

test('kinds of lines are bounded, and whether there were more is known', () => {
  const many = Array.from(
    { length: 3 * MAX_KINDS },
    (_, count): Line => [
      count,
      'web-a/app',
      `INFO ${letters(count)} ${letters(count * 7)} ${letters(count * 13)}`,
    ],
  );
  const [digest] = digestsOf(many);
  expect([digest?.kinds.size, digest?.isFull]).toEqual([MAX_KINDS, true]);
  expect(digestsOf(usual())[0]?.isFull).toBe(false);
});

const token = fc.constantFrom(
  'pool',
  'grows',
  'to',
  '60',
  'retries',
  'are',
  'on',
  'full',
  'queue',
  'of',
  '"x"',
);
const text = fc.tuple(fc.constantFrom('INFO', 'WARN', 'ERROR', 'DEBUG'), fc.array(token, { maxLength: 6 }));
const line = fc.tuple(
  fc.integer({ min: 0, max: 3_599 }),
  fc.constantFrom('web-a/app', 'web-b/app', 'db-0/postgres'),
  text.map(([level, tokens]) => `${level} ${tokens.join(' ')}`),
);

test('nothing is called new that any container wrote before, and no more is kept than its bounds', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 200 }), (lines) => {
      const all = [...usual(), ...errors(2_000), ...lines];
      const digests = digestsOf(all);
      const { begun } = findErrors(digests, at(FROM), at(TO));
      for (const { kinds } of digests) expect(kinds.size).toBeLessThanOrEqual(MAX_KINDS);
      for (const { newBefore, newCount, firstError } of begun) {
        expect(newBefore.length).toBe(Math.min(newCount, MAX_NEW));
        for (const { record } of newBefore) {
          const seen = decoder.decode(record.message);
          const second = record.at.seconds - FROM;
          const earlier = all.filter(([at, , other]) => at < second && other === seen);
          expect(earlier).toEqual([]);
          expect(record.at.seconds).toBeLessThanOrEqual(firstError.record.at.seconds);
        }
      }
    }),
    { numRuns: 50 },
  );
});
