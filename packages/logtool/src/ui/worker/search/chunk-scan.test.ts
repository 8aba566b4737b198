import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoint } from '../../../../../../test/support/fuzz/code-point.ts';
import { sourceOf } from '../../../../../../test/support/ui/worker/fake-line.ts';
import { type LineMatcher, matchTerms } from '../../../domain/search/line-matcher.ts';
import { parseSearch } from '../../../domain/search/search-query.ts';
import type { ArenaChunk } from '../store/arena.ts';
import { VERDICT } from '../store/entry-table.ts';
import { LineStore } from '../store/line-store.ts';
import { View } from '../store/view.ts';
import { ChunkScan } from './chunk-scan.ts';
import { Judge } from './judge.ts';
import { compileRegex } from './regex-matcher.ts';

const piece = fc.constantFrom(
  'time',
  'out',
  'Time',
  ' ',
  'ERROR',
  'error ',
  '-',
  'é',
  'É',
  '漢',
  '\u001b[31m',
  '\u001b[0m',
  '{"level":"warn",',
  '"route":"/pay"',
  '}',
  '{"a":{"b":1}}',
  'k',
  'K',
  '\u212a',
  '😀',
  '_',
  '7',
  '.',
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
const search = fc
  .array(
    fc.tuple(
      fc.constantFrom('', '-'),
      fc.constantFrom(
        'time',
        'timeout',
        'ERR',
        'é',
        'É',
        '漢',
        'k',
        '"out "',
        '@level:error',
        '@level:warn,error',
        '@json.route:/pay',
        '@a.b:1',
        '7',
        '_',
        '"',
        '😀',
      ),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((terms) => terms.map(([dash, text]) => dash + text).join(' '));
const options = fc.record({ matchCase: fc.boolean(), wholeWord: fc.boolean() });

function storeOf(texts: readonly string[]): LineStore {
  const store = new LineStore();
  store.sources.take(sourceOf('web/a', 0), false);
  for (const [index, each] of texts.entries()) {
    store.addLine({ seconds: index, nanos: 0, source: 0, text: each, flags: 1 });
  }
  return store;
}

async function hits(store: LineStore, matcher: LineMatcher): Promise<string[]> {
  const judge = new Judge(
    store,
    'searched',
    () => {},
    () => {},
  );
  judge.start(matcher);
  await judge.settled();
  const found = [...store.order.from({ chunk: 0, offset: 0 })]
    .filter((id) => store.table.verdict('searched', id) === VERDICT.hit)
    .map((id) => store.text(id));
  judge.stop();
  return found;
}

function oneByOne(store: LineStore, matcher: LineMatcher): string[] {
  return [...store.order.from({ chunk: 0, offset: 0 })].flatMap((id) => {
    const line = { text: store.text(id), level: store.table.level(id), flags: store.table.flags(id) };
    return matcher.matches(line) ? [line.text] : [];
  });
}

test('chunks of bytes are searched as lines are, one by one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 40 }), search, options, async (texts, query, option) => {
      const store = storeOf(texts);
      const matcher = matchTerms(parseSearch(query), option);
      expect(await hits(store, matcher)).toEqual(oneByOne(store, matcher));
    }),
    { numRuns: 400 },
  );
});

test('lines that are gone are not found, and do not hide those that stay', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 40 }), search, fc.nat(), async (texts, query, seed) => {
      const store = storeOf(texts);
      store.remove((id) => (id * 7 + seed) % 3 === 0);
      const matcher = matchTerms(parseSearch(query), { matchCase: false, wholeWord: false });
      expect(await hits(store, matcher)).toEqual(oneByOne(store, matcher));
    }),
    { numRuns: 200 },
  );
});

test('searches first for what a regular expression requires, with the same result', async () => {
  const pattern = fc.constantFrom(
    'time.ut',
    'TIME',
    'er+or ',
    'out\\b',
    '(time|out)',
    '^time',
    'k',
    'ti?me',
    'a*',
    '7\\.',
    'é',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 40 }), pattern, options, async (texts, regex, option) => {
      const compiled = await compileRegex({ text: regex, regex: true, ...option });
      if (!('matcher' in compiled)) throw new Error(regex);
      const store = storeOf(texts);
      expect(await hits(store, compiled.matcher)).toEqual(oneByOne(store, compiled.matcher));
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['colou?r', ['color', 'a colour']],
  ['colou*r', ['color', 'a colour', 'colouuur']],
  ['colou{0,1}r', ['color', 'a colour']],
  ['colou+r', ['a colour', 'colouuur']],
])('%s finds its matches, though a letter of it may be missing', async (regex, found) => {
  const texts = ['color', 'a colour', 'colouuur', 'colr'];
  const compiled = await compileRegex({
    text: regex,
    regex: true,
    matchCase: false,
    wholeWord: false,
  });
  if (!('matcher' in compiled)) throw new Error(regex);
  const store = storeOf(texts);
  expect(await hits(store, compiled.matcher)).toEqual(found);
});

test('finds no text across two lines', async () => {
  const store = storeOf(['one', 'two']);
  const matcher = matchTerms(parseSearch('"one\ntwo"'), { matchCase: true, wholeWord: false });
  expect(await hits(store, matcher)).toEqual([]);
});

const FAR = 'x'.repeat(700);
const PLAIN = { matchCase: false, wholeWord: false };

test('counts hits while a search runs, and all of them when it is done, whatever the order of lines', async () => {
  const store = new LineStore();
  store.sources.take(sourceOf('web/a', 0), false);
  store.sources.take(sourceOf('web/b', 1), false);
  // Every chunk of the order has lines of the first and the last byte chunks.
  for (let index = 0; index < 6_000; index++) {
    const seconds = index < 3_000 ? index * 2 : (index - 3_000) * 2 + 1;
    const text = index % 3 === 0 ? `${FAR} Needle ${index}` : FAR;
    store.addLine({ seconds, nanos: 0, source: index % 2, text, flags: 1 });
  }
  const view = new View(store);
  const seen: number[] = [];
  const refresh = () => {
    view.settle();
    view.refresh();
    seen.push(view.count('hits'));
  };
  const judge = new Judge(store, 'searched', () => view.invalidate(), refresh);
  judge.start(matchTerms(parseSearch('needle'), PLAIN));
  refresh();
  await judge.settled();
  expect([seen[0], seen.at(-1)]).toEqual([0, 2_000]);
  judge.start(matchTerms(parseSearch('needle 2997'), PLAIN));
  view.filter = { byFields: false, bySearch: true, paused: false };
  refresh();
  await judge.settled();
  expect([seen.at(-1), view.total]).toEqual([1, 1]);
  judge.stop();
});

test('counts hits if lines arrive after them before they are known as hits', async () => {
  const store = storeOf(['needle', 'hay', 'needle']);
  const view = new View(store);
  const judge = new Judge(
    store,
    'searched',
    () => view.invalidate(),
    () => {},
  );
  judge.start(matchTerms(parseSearch('needle'), PLAIN));
  view.refresh();
  await judge.settled();
  store.addLine({ seconds: 9, nanos: 0, source: 0, text: 'needle', flags: 1 });
  view.refresh();
  view.settle();
  view.refresh();
  expect(view.count('hits')).toBe(3);
  judge.stop();
});

const STEPS = ['add', 'add late', 'refresh', 'settle', 'turn', 'search', 'search other', 'remove'] as const;
// Few lines fill a byte chunk.
const LONG = 'x'.repeat(400_000);

/** A store whose lines come, go and are searched while a view shows them. */
class SearchedStore {
  readonly store = new LineStore();
  readonly view = new View(this.store);
  readonly judge = new Judge(
    this.store,
    'searched',
    () => this.view.invalidate(),
    () => {
      this.view.settle();
      this.view.refresh();
    },
  );
  /** The text that is searched for. */
  wanted = 'a';

  constructor(bySearch: boolean) {
    this.store.sources.take(sourceOf('web/a', 0), false);
    this.view.filter = { byFields: false, bySearch, paused: false };
    this.search('a');
  }

  search(text: string): void {
    this.wanted = text;
    this.judge.start(matchTerms(parseSearch(text), PLAIN));
  }

  add(seconds: number, index: number): void {
    this.store.addLine({ seconds, nanos: 0, source: 0, text: `${LONG}${'ab'[index % 2]}`, flags: 1 });
  }

  async take(step: (typeof STEPS)[number], index: number): Promise<void> {
    const actions: Readonly<Record<typeof step, () => unknown>> = {
      add: () => this.add(100 + index, index),
      'add late': () => this.add(index, index),
      refresh: () => this.view.refresh(),
      settle: () => this.view.settle(),
      turn: () => new Promise((resolve) => setImmediate(resolve)),
      search: () => this.search('a'),
      'search other': () => this.search('b'),
      remove: () => this.store.remove((id) => id % 5 === 0),
    };
    await actions[step]();
  }
}

test('whatever comes, goes and is searched meanwhile, in the end all hits are counted', async () => {
  const steps = fc.array(fc.constantFrom(...STEPS), { minLength: 5, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (taken, bySearch) => {
      const searched = new SearchedStore(bySearch);
      const { store, view, judge } = searched;
      for (const [index, step] of taken.entries()) await searched.take(step, index);
      await judge.settled();
      view.refresh();
      const held = [...store.order.from({ chunk: 0, offset: 0 })];
      const hits = held.filter((id) => store.text(id).endsWith(searched.wanted)).length;
      expect(view.count('hits')).toBe(hits);
      expect(view.total).toBe(bySearch ? hits : held.length);
      judge.stop();
    }),
    { numRuns: 60 },
  );
});

test('lines that go while they are examined one by one do not end the search', () => {
  const store = storeOf(Array.from({ length: 20_000 }, (_, index) => `line ${index}`));
  const matcher = { ...matchTerms(parseSearch('line'), PLAIN), mustConfirm: true };
  const [chunk] = store.arena.chunks();
  const scanning = new ChunkScan(store, matcher, 'searched').scan(chunk as ArenaChunk);
  scanning.next();
  // Their data is released with them.
  store.remove((id) => id < 17_000);
  while (scanning.next().done !== true);
  const verdicts = [...store.order.from({ chunk: 0, offset: 0 })].map((id) =>
    store.table.verdict('searched', id),
  );
  expect(verdicts).toEqual(Array.from({ length: 3_000 }, () => VERDICT.hit));
});

test('marks lie where the words are', () => {
  const { spans } = matchTerms(parseSearch('time "out of" -never'), { matchCase: false, wholeWord: false });
  expect(spans('Time out of time, timeout of')).toEqual([
    [0, 4],
    [5, 11],
    [12, 16],
    [18, 28],
  ]);
  const whole = matchTerms(parseSearch('é1'), { matchCase: false, wholeWord: true });
  expect(whole.spans('É1 é12 aé1 (é1)')).toEqual([
    [0, 2],
    [12, 14],
  ]);
});

test('any text is a search', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: codePoint }),
      fc.string({ unit: codePoint }),
      options,
      (query, line, option) => {
        const matcher = matchTerms(parseSearch(query), option);
        matcher.matches({ text: line, level: 0, flags: 0 });
        matcher.spans(line);
      },
    ),
  );
});

test.each([
  [
    'a  b',
    [
      ['a', false],
      ['b', false],
    ],
  ],
  [
    '"a b" -"c d"',
    [
      ['a b', false],
      ['c d', true],
    ],
  ],
  [
    '-x --y -',
    [
      ['x', true],
      ['-y', true],
      ['-', false],
    ],
  ],
  ['"say \\"hi\\""', [['say "hi"', false]]],
  ['"open', [['open', false]]],
  ['user@host', [['user@host', false]]],
] as const)('%j is words', (query, texts) => {
  expect(parseSearch(query)).toEqual(texts.map(([text, not]) => ({ kind: 'text', text: text, not })));
});

test('fields and levels', () => {
  expect(parseSearch('@level:error,WARN -@json.http.status:"5 0 0" @log.level:x')).toEqual([
    { kind: 'level', levels: ['error', 'warn'], not: false },
    { kind: 'json', path: 'http.status', value: '5 0 0', not: true },
    { kind: 'json', path: 'log.level', value: 'x', not: false },
  ]);
});
