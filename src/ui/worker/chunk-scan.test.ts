import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VERDICT } from './entry-table.ts';
import { Judge } from './judge.ts';
import { type LineMatcher, matchTerms } from './line-matcher.ts';
import { LineStore } from './line-store.ts';
import { compileRegex } from './regex-matcher.ts';
import { parseSearch } from './search-query.ts';
import { sourceOf } from './testing/fake-server.ts';

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
const text = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''));
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
  .map((parts) => parts.map(([dash, word]) => dash + word).join(' '));
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

test('what a regular expression must have is looked for first, with the same result', async () => {
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
      const compiled = await compileRegex({ text: regex, regex: true, only: false, ...option });
      if (!('matcher' in compiled)) throw new Error(regex);
      const store = storeOf(texts);
      expect(await hits(store, compiled.matcher)).toEqual(oneByOne(store, compiled.matcher));
    }),
    { numRuns: 300 },
  );
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
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
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
] as const)('%j is words', (query, words) => {
  expect(parseSearch(query)).toEqual(words.map(([word, not]) => ({ kind: 'word', text: word, not })));
});

test('fields and levels', () => {
  expect(parseSearch('@level:error,WARN -@json.http.status:"5 0 0" @log.level:x')).toEqual([
    { kind: 'level', levels: ['error', 'warn'], not: false },
    { kind: 'json', path: 'http.status', value: '5 0 0', not: true },
    { kind: 'json', path: 'log.level', value: 'x', not: false },
  ]);
});
