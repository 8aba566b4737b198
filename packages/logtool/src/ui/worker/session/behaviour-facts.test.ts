import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eventFact, exitFact, startFact } from '../../../../../../test/support/domain/facts.ts';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';
import type { Fact } from '../../../domain/facts/fact.ts';
import { factRowText } from '../../messages/facts.ts';
import type { Row } from '../protocol/protocol.ts';
import { factLinkOf } from '../store/link.ts';

const START = 1_800_000_000;
const at = (seconds: number, nanos = 0) => ({ seconds: START + seconds, nanos });
const line = (seconds: number, text: string, container = 'web/a', nanos = 0) => ({
  ...at(seconds, nanos),
  container,
  text,
});
const POD = { kind: 'Pod', namespace: 'shop', name: 'web-a', uid: 'web' };
/** The run that the fake server reports. */
const RUN = { ...POD, container: 'a', run: 'run' };
const event = (id: string, seconds: number, values: Partial<Parameters<typeof eventFact>[0]> = {}) =>
  eventFact({ id, at: at(seconds), severity: 'warning', reason: id, subject: POD, ...values });
const exit = (id: string, seconds: number, subject = RUN) =>
  exitFact({ id, at: at(seconds), severity: 'fatal', subject });

async function openWith(
  facts: readonly Fact[],
  lines: readonly ReturnType<typeof line>[],
  limits?: { lines: number; bytes: number },
) {
  const server = new FakeServer();
  for (const each of lines) server.write(each);
  server.facts.known.push(...facts);
  const driver = new SessionDriver(limits, server);
  await driver.open();
  await driver.send({ type: 'facts', choice: { show: 'notable', hiddenLabels: [] } });
  return driver;
}

/** Lines by their text, facts by their id, a missing range by its number. */
const shown = (rows: readonly Row[]) =>
  rows.map((row) =>
    row.kind === 'fact' ? `[${row.fact.id}]` : row.kind === 'missing' ? `(${row.lines ?? '?'})` : row.text,
  );
const statusOf = (driver: SessionDriver) => driver.last('status').status;

describe('where facts lie', () => {
  test('at the end of their second, an exit after the last line of its run, a start before the first', async () => {
    const driver = await openWith(
      [
        exit('exit', 10),
        startFact({ id: 'start', at: at(30), subject: { ...RUN, container: 'b' } }),
        event('Unhealthy', 20),
      ],
      [line(5, 'a 5'), line(20, 'a 20', 'web/a', 5), line(21, 'b 21', 'web/b'), line(40, 'b 40', 'web/b')],
    );
    expect(shown(driver.rows())).toEqual(['a 5', 'a 20', '[exit]', '[Unhealthy]', '[start]', 'b 21', 'b 40']);
  });

  test('a line that comes later moves the exit behind it, and other facts stay', async () => {
    const driver = await openWith([exit('exit', 10), event('Unhealthy', 12)], [line(5, 'first')]);
    expect(shown(driver.rows())).toEqual(['first', '[exit]', '[Unhealthy]']);
    driver.server.write(line(14, 'last words'));
    await driver.settle();
    expect(shown(driver.rows())).toEqual(['first', '[Unhealthy]', 'last words', '[exit]']);
    driver.server.write(line(11, 'of another', 'web/b'));
    await driver.settle();
    expect(shown(driver.rows())).toEqual(['first', 'of another', '[Unhealthy]', 'last words', '[exit]']);
  });

  test('the order is the same whatever comes first, lines or facts, and in whatever batches', async () => {
    const container = fc.constantFrom('web/a', 'web/b');
    const lines = fc.array(
      fc.record({ seconds: fc.integer({ min: 0, max: 12 }), nanos: fc.constantFrom(0, 5e8), container }),
      { maxLength: 12 },
    );
    const facts = fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 0, max: 40 }),
        seconds: fc.integer({ min: 0, max: 12 }),
        kind: fc.nat(2),
        container,
      }),
      { maxLength: 8, selector: ({ id }) => id },
    );
    await fc.assert(
      fc.asyncProperty(lines, facts, fc.infiniteStream(fc.nat()), async (written, happened, order) => {
        const lineList = written.map((each, index) => ({
          ...each,
          seconds: START + each.seconds,
          text: `l${index}`,
        }));
        const factList = happened.map(({ id, seconds, kind, container: own }) => {
          const subject = { ...RUN, container: own.slice(4) };
          const values = { id: `f${id}`, at: at(seconds), subject };
          return kind === 0
            ? exitFact(values)
            : kind === 1
              ? startFact(values)
              : eventFact({ ...values, severity: 'warning' });
        });
        const whole = await openWith(factList, lineList);
        const stepwise = await openWith([], []);
        const all = [
          ...lineList.map((each) => () => stepwise.server.write(each)),
          ...factList.map((each) => () => stepwise.server.facts.happen(each)),
        ];
        // Lines of one container and time arrive in the order in which they were written.
        const steps = all.map((run, index) => ({
          run,
          key: index < lineList.length ? index : ([...order.take(1)][0] ?? 0),
        }));
        for (const { run } of steps.sort((a, b) => (a.key % 16) - (b.key % 16))) {
          run();
          await stepwise.settle();
        }
        const wanted = shown(whole.rows()).filter((text) => text.startsWith('['));
        expect(shown(stepwise.rows()).filter((text) => text.startsWith('['))).toEqual(wanted);
        expect(new Set(shown(stepwise.rows()))).toEqual(new Set(shown(whole.rows())));
        whole.session.close();
        stepwise.session.close();
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  test('without lines shows only the facts, once the view is open', async () => {
    const driver = await openWith([event('Failed', 4), event('BackOff', 5)], []);
    expect(shown(driver.rows())).toEqual(['[Failed]', '[BackOff]']);
    expect(statusOf(driver)).toMatchObject({ lines: 0, rows: 2, arrived: 0 });
  });
});

describe('unread lines and facts', () => {
  const many = Array.from({ length: 3_000 }, (_, index) => line(index, `line ${index}`));

  test('facts have rows only where lines are loaded, and going to one loads the lines around it', async () => {
    const driver = await openWith([event('early', 10), event('late', 2_990)], many);
    expect(shown(driver.rows()).filter((text) => text.startsWith('['))).toEqual(['[late]']);
    const session = driver.session;
    session.take({ type: 'find-fact', request: 1_000, from: driver.rows()[0]?.entry, direction: 'previous' });
    await driver.settle();
    await driver.settle();
    const found = driver.last('found');
    const row = driver.rows().find(({ entry }) => entry === found.entry);
    expect(row).toMatchObject({ kind: 'fact', fact: { id: 'early' } });
    expect(shown(driver.rows()).slice(8, 14)).toContain('[early]');
  });

  test('facts among lines that were let go go with them, and come back with them', async () => {
    const driver = await openWith([event('early', 2_010), event('late', 2_990)], many, {
      lines: 1_200,
      bytes: 2 ** 29,
    });
    const ids = () => shown(driver.rows()).filter((text) => text.startsWith('['));
    expect(ids()).toEqual(['[early]', '[late]']);
    for (let index = 3_000; index < 3_600; index++) driver.server.write(line(index, `line ${index}`));
    await driver.settle();
    expect(ids()).toEqual(['[late]']);
    expect(driver.rows()[0]?.kind).toBe('missing');
    const { entry } = driver.rows()[0]!;
    await driver.send({ type: 'viewport', first: entry, last: entry });
    await driver.send({ type: 'load-missing', entry });
    await driver.settle();
    expect(ids()).toContain('[early]');
  });

  test('an answer says whether all of the facts were read', async () => {
    const server = new FakeServer();
    server.write(line(1, 'one'));
    server.facts.isHeld = true;
    const driver = new SessionDriver(undefined, server);
    await driver.open();
    await driver.send({ type: 'facts', choice: { show: 'notable', hiddenLabels: [] } });
    const find = async () => {
      driver.session.take({
        type: 'find-fact',
        request: driver.sent.length,
        from: undefined,
        direction: 'next',
      });
      await driver.settle();
      return driver.last('found');
    };
    expect(statusOf(driver).facts.state).toBe('reading');
    expect(await find()).toMatchObject({ entry: undefined, isExact: false });
    server.facts.eventsSince = at(-100);
    server.facts.release();
    await driver.settle();
    expect(await find()).toMatchObject({ entry: undefined, isExact: true, searchedBackTo: START - 100 });
    expect(statusOf(driver).facts).toMatchObject({ state: 'read', eventsSinceMs: (START - 100) * 1000 });
  });

  test('a missing right makes no answer exact, and is kept once over reconnections', async () => {
    const driver = await openWith([], [line(1, 'one')]);
    driver.server.facts.notices = [
      { type: 'notice', q: 0, code: 'facts-forbidden', data: { of: 'events', namespace: 'shop' } },
    ];
    driver.server.facts.cut();
    await driver.settle();
    await driver.clock.advance(10_000);
    await driver.settle();
    expect(driver.server.facts.queries).toHaveLength(2);
    expect(statusOf(driver).facts.notices).toHaveLength(1);
    driver.session.take({ type: 'find-fact', request: 7, from: undefined, direction: 'next' });
    await driver.settle();
    expect(driver.last('found')).toMatchObject({ entry: undefined, isExact: false });
  });
});

describe('apart from lines', () => {
  const facts = [exit('exit', 10), event('Unhealthy', 12)];
  const lines = [line(5, 'level=error one'), line(20, 'two', 'web/b')];

  test('no count, copy or search of lines has a fact', async () => {
    const driver = await openWith(facts, lines);
    const { status } = driver.last('status');
    expect(status).toMatchObject({
      lines: 2,
      rows: 4,
      arrived: 0,
      oldestSeconds: START + 5,
      newestSeconds: START + 20,
    });
    expect(status.errorTicks).toHaveLength(1);
    expect(status.facts.ticks).toHaveLength(2);
    const entries = driver.rows().map(({ entry }) => entry);
    expect(driver.ask({ type: 'text', entries }, 'text')).toMatchObject({
      text: 'level=error one\ntwo',
      lines: 2,
    });
    const search = { text: 'exited', matchCase: false, wholeWord: false, regex: false };
    await driver.send({ type: 'search', plan: { ...search, only: true } });
    await driver.clock.advance(1_000);
    await driver.settle();
    expect(statusOf(driver).search.hits).toBe(0);
    // Filters for lines do not hide facts.
    expect(shown(driver.rows())).toEqual(['[exit]', '[Unhealthy]']);
  });

  test('copies a fact as a line with times and containers, also if it is the only row', async () => {
    const driver = await openWith(facts, lines);
    const rows = driver.rows();
    const entries = rows.map(({ entry }) => entry);
    const { text } = driver.ask({ type: 'text', entries, isNamed: true }, 'text') ?? { text: '' };
    expect(text.split('\n')[1]).toBe('2027-01-15T08:00:10Z web-a/a exited 1');
    const fact = rows.find(({ kind }) => kind === 'fact');
    expect(driver.ask({ type: 'text', entries: [fact?.entry] }, 'text')).toMatchObject({
      text: '2027-01-15T08:00:10Z web-a/a exited 1',
      lines: 1,
      link: undefined,
    });
  });

  test('levels leave facts, a container that is left out takes its facts along', async () => {
    const driver = await openWith(facts, lines);
    const filter = { include: {}, exclude: {}, fields: [] };
    await driver.send({ type: 'facets', filter: { ...filter, include: { level: ['warn'] } } });
    expect(shown(driver.rows())).toEqual(['[exit]', '[Unhealthy]']);
    await driver.send({ type: 'facets', filter: { ...filter, exclude: { container: ['web/a'] } } });
    expect(shown(driver.rows())).toEqual(['[Unhealthy]', 'two']);
  });

  test('facts are chosen by how much they matter, and words are switched off', async () => {
    const normal = eventFact({ id: 'Pulled', at: at(6), reason: 'Pulled', subject: POD });
    const driver = await openWith([...facts, normal], lines);
    expect(statusOf(driver).facts.labels.map(({ label }) => label)).toEqual(['exited', 'Unhealthy']);
    await driver.send({ type: 'facts', choice: { show: 'all', hiddenLabels: ['Unhealthy'] } });
    expect(shown(driver.rows())).toEqual(['level=error one', '[Pulled]', '[exit]', 'two']);
    await driver.send({ type: 'facts', choice: { show: 'none', hiddenLabels: [] } });
    expect(shown(driver.rows())).toEqual(['level=error one', 'two']);
    expect(statusOf(driver).facts).toMatchObject({ state: 'off', labels: [] });
  });

  test('while paused none comes, afterwards it is there', async () => {
    const driver = await openWith([], lines);
    await driver.send({ type: 'pause', paused: true });
    driver.server.facts.happen(event('Unhealthy', 12));
    await driver.settle();
    expect(shown(driver.rows())).toEqual(['level=error one', 'two']);
    await driver.send({ type: 'pause', paused: false });
    expect(shown(driver.rows())).toEqual(['level=error one', '[Unhealthy]', 'two']);
  });
});

describe('an exit and what follows', () => {
  const next = startFact({
    id: 'start',
    at: at(20),
    subject: { ...RUN, run: 'next' },
    cause: 'exit',
    data: { restarts: 5, afterMs: 10_000 },
  });
  const killed = exitFact({
    id: 'exit',
    at: at(10),
    severity: 'fatal',
    reason: 'OOMKilled',
    subject: RUN,
    data: {
      exitCode: 137,
      memoryLimit: '256Mi',
      lastedMs: 41_000,
      restarts: 4,
      isInit: false,
      wasDeleted: false,
    },
  });

  test('are one row, also if the start becomes known later, and stay where they are', async () => {
    const driver = await openWith([killed], [line(5, 'one'), line(15, 'two', 'web/b')]);
    const row = () => driver.rows().find((each) => each.kind === 'fact')!;
    const before = row();
    driver.server.facts.happen(next);
    await driver.settle();
    const after = row();
    expect(shown(driver.rows())).toEqual(['one', '[exit]', 'two']);
    expect(after.entry).toBe(before.entry);
    expect(after.revision).not.toBe(before.revision);
    expect(factRowText(after.fact, after.restart)).toBe(
      'web-a/a exited 137 OOMKilled (limit 256Mi) after 41 s · restarted 10 s later, 5th time',
    );
  });

  test('a link of either leads to their row, which is loaded first', async () => {
    const far = Array.from({ length: 3_000 }, (_, index) => line(100 + index, `later ${index}`));
    const driver = await openWith([killed, next], [line(5, 'one'), line(15, 'two', 'web/b'), ...far]);
    expect(shown(driver.rows())).not.toContain('[exit]');
    for (const fact of [killed, next]) {
      const { entry } = await driver.jump({ at: 'line', link: factLinkOf(fact) });
      expect(driver.rows().find((row) => row.entry === entry)).toMatchObject({ fact: { id: 'exit' } });
    }
  });

  test('a link of a fact that the cluster no longer reports leads nowhere', async () => {
    const driver = await openWith([killed], [line(5, 'one')]);
    const { entry } = await driver.jump({ at: 'line', link: factLinkOf({ ...killed, id: 'gone' }) });
    expect(entry).toBeUndefined();
  });

  test('a continuing series is the same row with another count', async () => {
    const driver = await openWith([event('BackOff', 4)], [line(1, 'one')]);
    const [, before] = driver.rows();
    driver.server.facts.happen(event('BackOff', 4, { until: at(9), count: 3 }));
    await driver.settle();
    const [, after] = driver.rows();
    expect(after).toMatchObject({
      kind: 'fact',
      entry: before?.entry,
      seconds: START + 9,
      fact: { count: 3 },
    });
  });
});

test('facts of a source that was taken out go when the others were read', async () => {
  const driver = await openWith([event('Unhealthy', 12)], [line(5, 'one')]);
  driver.server.facts.known.splice(0);
  await driver.open({ sources: ['web', 'db'] });
  expect(shown(driver.rows())).toEqual(['one']);
});

test('of 10,000 facts each has its place, and more are let go from the oldest on', async () => {
  const facts = Array.from({ length: 10_050 }, (_, index) => event(`f${index}`, index));
  const driver = await openWith(facts, [line(0, 'first'), line(20_000, 'last')]);
  const rows = shown(driver.rows());
  expect(rows).toHaveLength(10_002);
  expect(rows.slice(0, 2)).toEqual(['first', '[f50]']);
  expect(rows.slice(-2)).toEqual(['[f10049]', 'last']);
  expect(statusOf(driver).facts.isCut).toBe(true);
});

test('an early exit stays when more events come than a tab holds', async () => {
  const events = Array.from({ length: 10_050 }, (_, index) => event(`f${index}`, 10 + index));
  const driver = await openWith([exit('exit', 5), ...events], [line(0, 'first'), line(20_000, 'last')]);
  const rows = shown(driver.rows());
  expect(rows).toHaveLength(10_002);
  expect(rows.slice(0, 2)).toEqual(['first', '[f51]']);
  // Both lines belong to the run that ended.
  expect(rows.slice(-2)).toEqual(['last', '[exit]']);
});

test('a range that is the same in other words is answered at once', async () => {
  const driver = await openWith([], [line(5, 'one')]);
  const { asked } = statusOf(driver);
  await driver.open({ opensAt: 'end' });
  expect(statusOf(driver).asked).toBeGreaterThan(asked);
});

test('the first row in view may be a fact that loses its row', async () => {
  const subject = { ...RUN, run: 'next' };
  const started = startFact({ id: 'start', at: at(20), subject, cause: 'exit', data: { restarts: 1 } });
  const driver = await openWith([started], [line(5, 'one'), line(30, 'two')]);
  const [, row] = driver.rows();
  expect(row).toMatchObject({ kind: 'fact', fact: { id: 'start' } });
  const { entry } = row!;
  driver.server.facts.happen(exit('exit', 10));
  await driver.settle();
  await driver.send({ type: 'viewport', first: entry, last: entry });
  driver.session.take({ type: 'find-fact', request: 9_000, from: entry, direction: 'next' });
  await driver.settle();
  expect(driver.ask({ type: 'text', entries: [entry] }, 'text')).toMatchObject({ text: '', lines: 0 });
  expect(driver.ask({ type: 'range', from: entry, to: driver.rows()[0]?.entry }, 'range')?.entries).toEqual(
    [],
  );
  // Both lines belong to the run that ended.
  expect(shown(driver.rows())).toEqual(['one', 'two', '[exit]']);
});

test('resting facts say so, load nothing, and continue afterwards', async () => {
  const driver = await openWith([], [line(5, 'one')]);
  await driver.send({ type: 'rest-facts', isResting: true });
  driver.server.facts.happen(event('Unhealthy', 12));
  driver.server.write(line(20, 'two'));
  await driver.settle();
  expect(shown(driver.rows())).toEqual(['one', 'two']);
  expect(statusOf(driver).facts).toMatchObject({ isResting: true, isStreaming: true });
  await driver.send({ type: 'rest-facts', isResting: false });
  await driver.settle();
  expect(shown(driver.rows())).toEqual(['one', '[Unhealthy]', 'two']);
  expect(statusOf(driver).facts.isResting).toBe(false);
});
