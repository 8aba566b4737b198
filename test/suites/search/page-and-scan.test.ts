import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchTerms } from '../../../packages/logtool/src/domain/search/line-matcher.ts';
import { parseSearch } from '../../../packages/logtool/src/domain/search/search-query.ts';
import { compileSearch } from '../../../packages/logtool/src/stream/match/compile-search.ts';
import { LineStore } from '../../../packages/logtool/src/ui/worker/store/line-store.ts';
import { sourceOf } from '../../../packages/logtool/src/ui/worker/testing/fake-server.ts';
import { recordsWith } from '../../support/engine/records-with.ts';

const piece = fc.constantFrom(
  'time',
  'out',
  'Time',
  ' ',
  'ERROR ',
  'error ',
  '-',
  'é',
  'É',
  '\u001b[31m',
  '\u001b[0m',
  '{"level":"warn",',
  '"route":"/pay"',
  '}',
  '{"a":{"b":1}}',
  'K',
  '\u212a',
  '😀',
  '7',
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
const term = fc.constantFrom(
  'time',
  'timeout',
  'ERR',
  'é',
  'k',
  '"out "',
  '@level:error',
  '@level:warn,none',
  '@json.route:/pay',
  '@a.b:1',
  '7',
  '😀',
);
const search = fc
  .array(fc.tuple(fc.constantFrom('', '-'), term), { maxLength: 3 })
  .map((terms) => terms.map(([dash, one]) => dash + one).join(' '));
const field = fc.record({
  path: fc.constantFrom('route', 'a.b'),
  value: fc.constantFrom('/pay', '1'),
  exclude: fc.boolean(),
});

test('a scan finds the lines that the page finds', () => {
  fc.assert(
    fc.property(
      fc.array(text, { maxLength: 30 }),
      search,
      fc.array(field, { maxLength: 2 }),
      fc.record({ matchCase: fc.boolean(), wholeWord: fc.boolean() }),
      (texts, typed, fields, options) => {
        const found = compileSearch({ search: { text: typed, regex: false, ...options }, fields });
        const store = new LineStore();
        store.sources.take(sourceOf('web/a', 0), false);
        for (const [index, each] of texts.entries())
          store.addLine({ seconds: index, nanos: 0, source: 0, text: each, flags: 1 });
        const byTerms = matchTerms(parseSearch(typed), options);
        const terms = fields.map(({ path, value, exclude }) => ({
          kind: 'json' as const,
          path,
          value,
          not: exclude,
        }));
        const byFields = matchTerms(terms, { matchCase: true, wholeWord: false });
        const shown = [...store.order.from({ chunk: 0, offset: 0 })]
          .map((id) => ({ text: store.text(id), level: store.table.level(id), flags: store.table.flags(id) }))
          .filter((line) => byTerms.matches(line) && byFields.matches(line));
        const scanned = texts.filter((each) =>
          recordsWith([each]).every((record) => found?.(record) ?? true),
        );
        expect(scanned).toEqual(shown.map((line) => line.text));
      },
    ),
    { numRuns: 500 },
  );
});
