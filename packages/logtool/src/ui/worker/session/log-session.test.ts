import { expect, test } from 'vitest';
import type { FakeLine } from '../../../../../../test/support/ui/worker/fake-line.ts';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';

const START = 1_800_000_000;

function line(index: number, container = 'web/a', text = `line ${index}`): FakeLine {
  return { seconds: START + Math.floor(index / 10), nanos: (index % 10) * 1e8, container, text };
}

function serverOf(count: number): FakeServer {
  const server = new FakeServer();
  for (let index = 0; index < count; index++) server.lines.push(line(index));
  return server;
}

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, offset) => `line ${from + offset}`);

test('a view opens with its newest lines and follows', async () => {
  const driver = new SessionDriver(undefined, serverOf(1_500));
  await driver.open();
  expect(driver.texts()).toEqual(numbers(500, 1_500));
  driver.server.write(line(1_500));
  await driver.settle();
  expect(driver.texts().at(-1)).toBe('line 1500');
  const { status } = driver.last('status');
  expect(status).toMatchObject({
    rows: 1_001,
    lines: 1_001,
    atEnd: true,
    atBeginning: false,
    loading: 'none',
  });
  expect(status.connection).toEqual({ state: 'live' });
});

test('what a view opens with is not new; what comes then is', async () => {
  const driver = new SessionDriver(undefined, serverOf(1_500));
  await driver.open();
  expect(driver.last('status').status).toMatchObject({ lines: 1_000, arrived: 0, receivedPerSecond: 0 });
  for (let index = 1_500; index < 1_520; index++) driver.server.write(line(index));
  await driver.settle();
  expect(driver.last('status').status).toMatchObject({ arrived: 20, receivedPerSecond: 20 });
});

test.each([
  ['end', 2_499],
  ['start', 0],
] as const)(
  'a jump to the %s of a range waits until the view knows what it has not loaded',
  async (at, number) => {
    const driver = new SessionDriver(undefined, serverOf(2_500));
    let end = () => {};
    driver.server.ending = new Promise((resolve) => {
      end = resolve;
    });
    const range = {
      from: { kind: 'inclusive', at: '2027-01-15T08:00:00Z' },
      to: { kind: 'strict', at: '2027-01-15T09:00:00Z' },
    } as const;
    await driver.open({ ...range, ...(at === 'start' ? { opensAt: 'end' } : {}) });
    expect(driver.texts()).toHaveLength(1_000);
    const jump = driver.jump({ at });
    await driver.settle();
    expect(driver.sent.filter(({ type }) => type === 'jumped')).toEqual([]);
    end();
    const { entry = -1 } = await jump;
    expect(driver.rows({ at: 'entry', entry }, 1)[0]).toMatchObject({ text: `line ${number}` });
  },
);

test('a length of time opens at its newest line, reads older ones up to its start, and follows', async () => {
  const driver = new SessionDriver(undefined, serverOf(2_500));
  await driver.open({ from: { kind: 'inclusive', at: '2027-01-15T08:00:50Z' }, opensAt: 'end' });
  expect(driver.texts()).toEqual(numbers(1_500, 2_500));
  expect(driver.last('status').status).toMatchObject({ atEnd: true, atBeginning: false });
  driver.server.write(line(2_500));
  await driver.settle();
  expect(driver.texts().at(-1)).toBe('line 2500');
  await driver.send({ type: 'load', what: 'older' });
  expect(driver.texts()).toEqual(numbers(500, 2_501));
  expect(driver.last('status').status.atBeginning).toBe(true);
});

test('a view of both ends is whole only when the lines between them are loaded too', async () => {
  const driver = new SessionDriver(undefined, serverOf(3_000));
  await driver.open();
  const status = () => driver.last('status').status;
  expect(status()).toMatchObject({ atBeginning: false, isWhole: false });
  await driver.jump({ at: 'start' });
  expect(status()).toMatchObject({ atBeginning: true, atEnd: true, isWhole: false });
  const missing = driver.rows().find(({ kind }) => kind === 'missing');
  await driver.send({ type: 'load-missing', entry: missing?.entry ?? -1 });
  await driver.settle();
  expect(driver.texts()).toEqual(numbers(0, 3_000));
  expect(status()).toMatchObject({ atBeginning: true, atEnd: true, isWhole: true });
});

test('in place of a row that was let go the nearest in time is given', async () => {
  const driver = new SessionDriver({ lines: 320, bytes: 2 ** 29 });
  await driver.open();
  driver.server.write(line(100, 'web/a'));
  await driver.settle();
  const gone = driver.rows()[0]?.entry ?? -1;
  for (let index = 101; index < 450; index++) driver.server.write(line(index));
  await driver.settle();
  expect(driver.texts().at(-1)).toBe('line 449');
  // The range of the evicted lines is the nearest entry.
  expect(driver.rows({ at: 'entry', entry: gone }, 1)[0]).toMatchObject({ kind: 'missing', index: 0 });
});

test('a row of a source that is taken out gives way to its neighbor in time', async () => {
  const driver = new SessionDriver();
  await driver.open({ sources: ['web', 'db'] });
  for (let index = 0; index < 60; index++)
    driver.server.write(line(index, index % 3 === 1 ? 'db/a' : 'web/a'));
  await driver.settle();
  const read = driver.rows().find((row) => row.kind === 'line' && row.text === 'line 31')?.entry ?? -1;
  await driver.open({ sources: ['web'] });
  expect(driver.rows({ at: 'entry', entry: read }, 1)[0]).toMatchObject({ text: 'line 32' });
});

test('lines of a container that had none at opening come when it writes', async () => {
  const driver = new SessionDriver();
  await driver.open();
  expect(driver.texts()).toEqual([]);
  driver.server.write(line(0));
  await driver.settle();
  expect(driver.texts()).toEqual(['line 0']);
  expect(driver.last('status').status.atBeginning).toBe(true);
});

test('older pages come one by one up to the beginning, each at the same cost', async () => {
  const driver = new SessionDriver(undefined, serverOf(21_500));
  await driver.open();
  for (let page = 0; page < 21; page++) await driver.send({ type: 'load', what: 'older' });
  expect(driver.texts()).toEqual(numbers(0, 21_500));
  expect(driver.last('status').status.atBeginning).toBe(true);
  expect(driver.server.costs.slice(0, 21)).toEqual(Array.from({ length: 21 }, () => 1_000));
});

test('requests an older page with the lines after it, if their number is known', async () => {
  const driver = new SessionDriver({ lines: 3_000, bytes: 2 ** 29 }, serverOf(21_500));
  const asked = () => driver.server.requests.at(-1)?.queries[0];
  await driver.open();
  await driver.send({ type: 'load', what: 'older' });
  expect(asked()?.held).toEqual([{ order: 'web/a/run', lines: 1_000 }]);
  driver.server.write(line(21_500));
  await driver.settle();
  await driver.send({ type: 'load', what: 'older' });
  expect(asked()?.held).toEqual([{ order: 'web/a/run', lines: 2_001 }]);
  await driver.jump({ at: 'start' });
  expect(asked()).toMatchObject({ selection: { kind: 'head' } });
  expect(asked()?.held).toBeUndefined();
  const { entry } = driver.rows().find(({ kind }) => kind === 'missing') ?? {};
  await driver.send({ type: 'load-missing', entry: entry ?? -1 });
  expect(asked()).toMatchObject({ selection: { kind: 'tail' } });
  expect(asked()?.held).toBeUndefined();
  await driver.open({ to: { kind: 'strict', at: '2027-01-15T08:30:00Z' } });
  await driver.send({ type: 'load', what: 'older' });
  expect(asked()).toMatchObject({ selection: { kind: 'tail' } });
  expect(asked()?.held).toBeUndefined();
});

test('after a cut nothing is lost and nothing doubled', async () => {
  const driver = new SessionDriver();
  await driver.open({ sources: ['web', 'db'] });
  const expected: string[] = [];
  for (let index = 0; index < 200; index++) {
    if (index % 37 === 20) {
      driver.server.cut();
      // Written while no connection is open, with equal texts and times.
      for (let twin = 0; twin < 3; twin++) driver.server.write(line(index, 'db/x', `db ${index}`));
      await driver.settle();
      await driver.clock.advance(6_000);
    }
    driver.server.write(line(index, index % 3 === 0 ? 'web/a' : 'web/b'));
    await driver.settle();
  }
  for (const { text } of driver.server.lines) expected.push(text);
  expect(driver.texts()).toEqual(expected);
  expect(driver.last('status').status.connection).toEqual({ state: 'live' });
});

test('a page that opens at a time reads on downward and then follows', async () => {
  const driver = new SessionDriver(undefined, serverOf(2_500));
  await driver.open({ from: { kind: 'inclusive', at: '2027-01-15T08:00:00Z' } });
  expect(driver.texts()).toEqual(numbers(0, 1_000));
  expect(driver.last('status').status).toMatchObject({ atBeginning: true, atEnd: false });
  await driver.send({ type: 'load', what: 'newer' });
  await driver.send({ type: 'load', what: 'newer' });
  expect(driver.texts()).toEqual(numbers(0, 2_500));
  driver.server.write(line(2_500));
  await driver.settle();
  expect(driver.texts().at(-1)).toBe('line 2500');
  expect(driver.last('status').status.atEnd).toBe(true);
});

test('past the limit one row says how many lines are not shown, and loads them', async () => {
  const driver = new SessionDriver({ lines: 300, bytes: 2 ** 20 });
  await driver.open();
  for (let index = 0; index < 400; index++) driver.server.write(line(index));
  await driver.settle();
  const rows = driver.rows();
  const [missing] = rows;
  if (missing?.kind !== 'missing') throw new Error('no missing row');
  expect(missing.lines).toBe(400 - (rows.length - 1));
  expect(driver.texts().slice(1)).toEqual(numbers(missing.lines ?? 0, 400));
  await driver.send({ type: 'viewport', first: rows[1]?.entry ?? 0, last: rows[20]?.entry ?? 0 });
  await driver.send({ type: 'load-missing', entry: missing.entry });
  expect(driver.texts()[0]).toBe('line 0');
  expect(driver.last('status').status.lines).toBeLessThanOrEqual(300);
  expect(driver.last('status').status.atEnd).toBe(false);
  await driver.jump({ at: 'end' });
  expect(driver.texts().at(-1)).toBe('line 399');
});

test.each([
  { above: 20, below: 5, around: ['line 2999', 'line 9000'] },
  { above: 0, below: 25, around: ['line 999', 'line 7000'] },
])(
  'a missing place is loaded from the side that is read, $above rows above it',
  async ({ above, below, around }) => {
    const driver = new SessionDriver({ lines: 4_000, bytes: 2 ** 22 }, serverOf(10_000));
    await driver.open();
    await driver.jump({ at: 'start' });
    const rows = driver.rows();
    const at = rows.findIndex(({ kind }) => kind === 'missing');
    const entryAt = (index: number) => rows[index]?.entry ?? -1;
    await driver.send({ type: 'viewport', first: entryAt(at - above), last: entryAt(at + below) });
    await driver.send({ type: 'load-missing', entry: entryAt(at) });
    const texts = driver.texts();
    const now = texts.findIndex((text) => text.startsWith('('));
    expect([texts[now - 1], texts[now + 1]]).toEqual(around);
  },
);

test('a line that arrives for a page while the page is read appears once, whether or not the page has it', async () => {
  const driver = new SessionDriver(undefined, serverOf(2_500));
  await driver.open();
  const inPage = { ...line(600, 'web/a', 'early enough for the page'), nanos: 5 };
  const tooLate = { ...line(700, 'web/a', 'too late for the page'), nanos: 5 };
  let deliver = () => {};
  driver.server.delivery = new Promise((resolve) => {
    deliver = resolve;
  });
  driver.session.take({ type: 'load', what: 'older' });
  driver.server.write(inPage);
  await driver.settle();
  driver.server.write(tooLate);
  await driver.settle();
  deliver();
  await driver.settle();
  const texts = driver.texts();
  expect(texts.filter((text) => text.endsWith('for the page'))).toEqual([inPage.text, tooLate.text]);
  const plain = texts.filter((text) => text.startsWith('line'));
  expect(plain).toEqual(numbers(2_500 - plain.length, 2_500));
});

test('drops a page for a missing range that has changed since', async () => {
  const driver = new SessionDriver({ lines: 300, bytes: 2 ** 20 });
  await driver.open();
  for (let index = 0; index < 400; index++) driver.server.write(line(index));
  await driver.settle();
  const [missing] = driver.rows();
  if (missing?.kind !== 'missing') throw new Error('no missing row');
  let deliver = () => {};
  driver.server.delivery = new Promise((resolve) => {
    deliver = resolve;
  });
  await driver.send({ type: 'load-missing', entry: missing.entry });
  for (let index = 400; index < 600; index++) driver.server.write(line(index));
  await driver.settle();
  deliver();
  await driver.settle();
  const [gap = '', ...texts] = driver.texts();
  expect(gap).toBe(`(${600 - texts.length})`);
  expect(texts).toEqual(numbers(600 - texts.length, 600));
});

test('jumps go to the start, the end and any time, and lines between them load', async () => {
  const driver = new SessionDriver(undefined, serverOf(50_000));
  await driver.open();
  const start = await driver.jump({ at: 'start' });
  const rowsAt = (entry: number | undefined) => driver.rows({ at: 'entry', entry: entry ?? -1 }, 1)[0];
  expect(rowsAt(start.entry)).toMatchObject({ text: 'line 0' });
  const middle = await driver.jump({ at: 'time', seconds: START + 2_500, nanos: 0 });
  expect(rowsAt(middle.entry)).toMatchObject({ text: 'line 25000' });
  const texts = driver.texts();
  expect(texts.filter((text) => text.startsWith('('))).toHaveLength(2);
  for (let round = 0; round < 10; round++) {
    const missing = driver.rows().find((row) => row.kind === 'missing');
    if (missing !== undefined) await driver.send({ type: 'load-missing', entry: missing.entry });
  }
  expect(driver.texts()).toEqual(numbers(0, 50_000));
  const end = await driver.jump({ at: 'end' });
  expect(rowsAt(end.entry)).toMatchObject({ text: 'line 49999' });
});

test('the link of a line opens it in another page', async () => {
  const server = serverOf(10_000);
  const twin = line(5_000, 'web/a', 'a twin');
  server.lines.splice(5_001, 0, twin);
  const first = new SessionDriver(undefined, server);
  await first.open();
  const jumped = await first.jump({ at: 'time', seconds: twin.seconds, nanos: twin.nanos });
  const [one, two] = first.rows({ at: 'entry', entry: jumped.entry ?? -1 }, 2);
  if (one?.kind !== 'line' || two?.kind !== 'line') throw new Error('no lines');
  expect([one.text, two.text]).toEqual(['line 5000', 'a twin']);
  const second = new SessionDriver(undefined, server);
  await second.open();
  const { entry } = await second.jump({ at: 'line', link: two.link });
  expect(second.rows({ at: 'entry', entry: entry ?? -1 }, 1)[0]).toMatchObject({ text: 'a twin' });
});

test('the link of a line unfolds equal lines only if the line is not the first of them, which the row shows', async () => {
  const server = serverOf(3);
  for (let index = 3; index < 6; index++) server.lines.push(line(index, 'web/a', 'the same'));
  const links = new SessionDriver(undefined, server);
  await links.open();
  const rows = links.rows({ at: 'start' }, 6).flatMap((row) => (row.kind === 'line' ? row.link : []));
  const textsAt = async (link: string | undefined) => {
    const driver = new SessionDriver(undefined, server);
    await driver.send({ type: 'fold-equal', isOn: true });
    await driver.open();
    await driver.jump({ at: 'line', link: link ?? '' });
    return driver.texts();
  };
  expect(await textsAt(rows[3])).toEqual([...numbers(0, 3), 'the same']);
  expect(await textsAt(rows[4])).toEqual([...numbers(0, 3), 'the same', 'the same', 'the same']);
});

test('while paused no row is added; afterwards the lines appear once, in order', async () => {
  const driver = new SessionDriver(undefined, serverOf(10));
  await driver.open();
  await driver.send({ type: 'pause', paused: true });
  for (let index = 10; index < 30; index++) driver.server.write(line(index));
  await driver.settle();
  expect(driver.texts()).toEqual(numbers(0, 10));
  expect(driver.last('status').status).toMatchObject({ rows: 10, pausedLines: 20 });
  await driver.send({ type: 'pause', paused: false });
  expect(driver.texts()).toEqual(numbers(0, 30));
});

test('a source that is added brings its lines of the same time; what is held stays', async () => {
  const driver = new SessionDriver(undefined, serverOf(1_200));
  for (let index = 0; index < 1_200; index += 50) driver.server.write(line(index, 'db/x', `db ${index}`));
  await driver.open();
  const held = driver.rows().map(({ entry }) => entry);
  await driver.open({ sources: ['web', 'db'] });
  const rows = driver.rows();
  expect(held.every((entry) => rows.some((row) => row.entry === entry))).toBe(true);
  expect(driver.texts().filter((text) => text.startsWith('db'))).toHaveLength(20);
  await driver.open({ sources: ['db'] });
  expect(driver.texts().every((text) => text.startsWith('db'))).toBe(true);
});

test('search, facets and JSON fields', async () => {
  const driver = new SessionDriver();
  const texts = [
    'INFO all is well',
    'ERROR timeout for cart',
    '\u001b[31mERR\u001b[0mOR split by color',
    '{"level":"warn","route":"/pay","n":7}',
    'Timeout again <b>',
  ];
  for (const [index, text] of texts.entries()) driver.server.lines.push(line(index, 'web/a', text));
  await driver.open();
  const search = async (text: string, more = {}) => {
    const plan = { text, matchCase: false, wholeWord: false, regex: false, only: true, ...more };
    await driver.send({ type: 'search', plan });
    while (driver.last('status').status.search.state === 'searching') await driver.settle();
    return driver.texts().map((each) => texts.indexOf(each));
  };
  expect(await search('timeout')).toEqual([1, 4]);
  expect(await search('timeout', { matchCase: true })).toEqual([1]);
  expect(await search('timeout -cart')).toEqual([4]);
  expect(await search('error')).toEqual([1, 2]);
  expect(await search('@level:error')).toEqual([1, 2]);
  expect(await search('@level:error,warn -"by color"')).toEqual([1, 3]);
  expect(await search('@json.route:/pay @n:7')).toEqual([3]);
  expect(await search('out', { wholeWord: true })).toEqual([]);
  expect(await search('TIME\\w+ [fa]', { regex: true })).toEqual([1, 4]);
  expect(await search('time(out', { regex: true })).toEqual([1, 4]);
  expect(driver.last('status').status.search.error).toMatchObject({ index: 4 });
  await search('split', { only: false });
  expect(driver.rows()[2]).toMatchObject({ hits: [[6, 11]] });
  await search('');
  const filter = { include: { level: ['warn'] }, exclude: {}, fields: [] };
  await driver.send({ type: 'facets', filter });
  expect(driver.texts()).toEqual([texts[3]]);
  const fields = [{ path: 'n', value: '7', exclude: true }];
  await driver.send({ type: 'facets', filter: { include: {}, exclude: {}, fields } });
  expect(driver.texts()).toHaveLength(4);
});

test('the start is the first line that the filters show', async () => {
  const server = serverOf(50);
  server.lines[12] = line(12, 'web/a', 'ERROR needle');
  const driver = new SessionDriver(undefined, server);
  await driver.open();
  await driver.send({ type: 'facets', filter: { include: { level: ['error'] }, exclude: {}, fields: [] } });
  const { entry } = await driver.jump({ at: 'start' });
  expect(driver.rows().find((row) => row.entry === entry)).toMatchObject({ text: 'ERROR needle' });
});

test('finding goes back through pages until there is a hit', async () => {
  const server = serverOf(20_000);
  server.lines[123] = line(123, 'web/a', 'ERROR needle');
  const driver = new SessionDriver(undefined, server);
  await driver.open();
  const plan = { text: 'needle', matchCase: false, wholeWord: false, regex: false, only: false };
  await driver.send({ type: 'search', plan });
  const found = await driver.find({ from: undefined, direction: 'previous', what: 'hit' });
  expect(driver.rows({ at: 'entry', entry: found.entry ?? -1 }, 1)[0]).toMatchObject({
    text: 'ERROR needle',
  });
  const error = await driver.find({ from: undefined, direction: 'previous', what: 'error' });
  expect(error.entry).toBe(found.entry);
  const none = await driver.find({ from: found.entry, direction: 'previous', what: 'hit' });
  expect(none).toMatchObject({ entry: undefined, searchedBackTo: START });
});

test('lines that the view leaves out are not counted as new in it', async () => {
  const driver = new SessionDriver(undefined, serverOf(10));
  driver.server.lines.push(line(9, 'web/b', 'line of b'));
  await driver.open();
  const arrived = () => driver.last('status').status.arrived;
  await driver.send({
    type: 'facets',
    filter: { include: { container: ['web/b'] }, exclude: {}, fields: [] },
  });
  for (let index = 10; index < 20; index++) driver.server.write(line(index));
  await driver.settle();
  expect(arrived()).toBe(0);
  expect(driver.last('status').status).toMatchObject({ lines: 21, receivedPerSecond: 10 });
  driver.server.write(line(20, 'web/b', 'another'));
  await driver.settle();
  expect(arrived()).toBe(1);
  await driver.send({ type: 'facets', filter: { include: {}, exclude: {}, fields: [] } });
  const search = { matchCase: false, wholeWord: false, regex: false, only: true };
  await driver.send({ type: 'search', plan: { ...search, text: 'wanted' } });
  driver.server.write(line(21, 'web/a', 'a wanted one'));
  driver.server.write(line(22, 'web/a', 'some other'));
  await driver.settle();
  expect(arrived()).toBe(2);
});

test('a source that is added to a past view while it is paused shows its lines', async () => {
  const driver = new SessionDriver(undefined, serverOf(2_500));
  for (let index = 100; index < 110; index++) driver.server.lines.push(line(index, 'db/a', `db ${index}`));
  const past = { from: { kind: 'inclusive', at: '2027-01-15T08:00:00Z' } } as const;
  await driver.open(past);
  await driver.send({ type: 'pause', paused: true });
  await driver.open({ ...past, sources: ['web', 'db'] });
  const shown = async () => {
    await driver.settle();
    return driver.texts().filter((text) => text.startsWith('db')).length;
  };
  await expect.poll(shown).toBe(10);
  await driver.send({ type: 'pause', paused: false });
  expect(await shown()).toBe(10);
});

test('what was wrong with a source goes with it', async () => {
  const driver = new SessionDriver(undefined, serverOf(10));
  driver.server.lines.push(line(9, 'db/a', 'line of db'));
  await driver.open({ sources: ['web', 'db', 'nothere'] });
  const error = {
    code: 'not-found',
    data: { server: 'https://shop', why: 'deployments.apps "nothere" not found' },
  };
  const denied = { code: 'forbidden', data: {} };
  driver.server.streams.at(-1)?.push([
    { type: 'notice', q: 0, code: 'source-failed', error },
    { type: 'state', q: 0, source: 1, state: 'failed', error: denied },
  ]);
  await driver.settle();
  const problems = () => driver.last('problem').problems.map((problem) => problem.error.code);
  expect(problems().toSorted()).toEqual(['forbidden', 'not-found']);
  // The container delivers no line from now on.
  driver.server.lines.pop();
  await driver.open({ sources: ['web', 'db'] });
  expect(problems()).toEqual(['forbidden']);
  await driver.open({ sources: ['web'] });
  expect(problems()).toEqual([]);
});

test('a source that is removed and added again is whole, and not reported as deleted', async () => {
  const server = serverOf(300);
  for (let index = 0; index < 300; index += 10) server.lines.push(line(index, 'db/x', `db ${index}`));
  const driver = new SessionDriver(undefined, server);
  await driver.open({ sources: ['web', 'db'] });
  const all = driver.texts();
  expect(all).toHaveLength(330);
  await driver.open({ sources: ['web'] });
  expect(driver.texts()).toEqual(numbers(0, 300));
  const points = () =>
    driver.server.requests.at(-1)?.queries.flatMap(({ resume }) => resume?.points.map(({ id }) => id));
  expect(points()).toEqual(['web/a']);
  await driver.open({ sources: ['web', 'db'] });
  expect(points()).toEqual(['web/a']);
  expect(driver.texts()).toEqual(all);
});

test('a change of sources opens them again: their newest lines, not everything they have', async () => {
  const server = serverOf(20);
  for (let index = 0; index < 3_000; index++) server.lines.push(line(index, 'db/x', `db ${index}`));
  const driver = new SessionDriver(undefined, server);
  await driver.open({ sources: ['web'] });
  await driver.open({ sources: ['db'] });
  expect(driver.texts()).toEqual(Array.from({ length: 1_000 }, (_, index) => `db ${2_000 + index}`));
  await driver.send({ type: 'load', what: 'older' });
  expect(driver.texts()).toHaveLength(2_000);
  await driver.open({ sources: ['web'] });
  expect(driver.texts()).toEqual(numbers(0, 20));
});

test('beside a source without lines one that is added opens with its newest lines', async () => {
  const server = new FakeServer();
  for (let index = 0; index < 3_000; index++) server.lines.push(line(index, 'db/x', `db ${index}`));
  const driver = new SessionDriver(undefined, server);
  await driver.open({ sources: ['web'] });
  await driver.open({ sources: ['web', 'db'] });
  expect(driver.texts()).toHaveLength(1_000);
  driver.server.write(line(3_000));
  await driver.settle();
  expect(driver.texts().at(-1)).toBe('line 3000');
  await driver.send({ type: 'load', what: 'older' });
  expect(driver.texts()).toHaveLength(2_001);
});

test('copied lines are led by the earliest of them, in whatever order they were chosen', async () => {
  const driver = new SessionDriver(undefined, serverOf(100));
  await driver.open();
  const rows = driver.rows();
  const chosen = [rows[70]!, rows[3]!, rows[40]!];
  const entries = chosen.map(({ entry }) => entry);
  const answer = driver.ask({ type: 'text', entries }, 'text');
  expect(answer?.text).toBe('line 3\nline 40\nline 70');
  expect(answer?.link).toBe(rows[3]?.kind === 'line' ? rows[3].link : 'no line');
  expect(driver.ask({ type: 'text', entries: [] }, 'text')?.link).toBeUndefined();
});

test('pinned lines are read where they are, loaded or not, and one that is gone is reported as gone', async () => {
  const driver = new SessionDriver(undefined, serverOf(1_500));
  await driver.open();
  const last = driver.rows({ at: 'end' }).at(-1);
  const held = last?.kind === 'line' ? last.link : '';
  const order = held.slice(held.indexOf('~', held.indexOf('~') + 1) + 1);
  const old = `${new Date((START + 1) * 1_000).toISOString().replace('.000Z', '.300000000Z')}~0~${order}`;
  const gone = old.replace('.300000000Z', '.350000000Z');
  const { version } = driver.last('status').status;
  const answer = driver.ask({ type: 'pins', links: [held, old, gone] }, 'pinned');
  expect(answer).toBeUndefined();
  while (!driver.sent.some(({ type }) => type === 'pinned')) await driver.settle();
  const pinned = driver.last('pinned');
  expect(pinned.lines.map((line) => (line.state === 'read' ? line.text : line.state))).toEqual([
    'line 1499',
    'line 13',
    'gone',
  ]);
  // The view's version does not change.
  expect(driver.last('status').status.version).toBe(version);
});

test('does not report a pinned line as gone while its container is unreadable', async () => {
  const driver = new SessionDriver(undefined, serverOf(1_500));
  await driver.open();
  const last = driver.rows({ at: 'end' }).at(-1);
  const held = last?.kind === 'line' ? last.link : '';
  const order = held.slice(held.indexOf('~', held.indexOf('~') + 1) + 1);
  const old = `${new Date((START + 1) * 1_000).toISOString().replace('.000Z', '.300000000Z')}~0~${order}`;
  const stateOfOld = async () => {
    const from = driver.sent.length;
    driver.ask({ type: 'pins', links: [old] }, 'pinned');
    while (!driver.sent.slice(from).some(({ type }) => type === 'pinned')) await driver.settle();
    return driver.last('pinned').lines.map(({ state }) => state);
  };
  driver.server.failing.set('web/a', { code: 'server-unreachable', data: { cause: 'cut' } });
  expect(await stateOfOld()).toEqual(['unread']);
  driver.server.failing.delete('web/a');
  expect(await stateOfOld()).toEqual(['read']);
});
