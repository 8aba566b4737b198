import fc from 'fast-check';
import { expect, test } from 'vitest';
import { levelIndex } from '../../../packages/logtool/src/domain/level.ts';
import { matchTerms } from '../../../packages/logtool/src/domain/search/line-matcher.ts';
import { parseSearch } from '../../../packages/logtool/src/domain/search/search-query.ts';
import { compileSearch } from '../../../packages/logtool/src/stream/match/compile-search.ts';
import { LineStore } from '../../../packages/logtool/src/ui/worker/store/line-store.ts';
import { recordsWith } from '../../support/engine/records-with.ts';
import { fieldFilter, lineOf, PIECES, searchOf, TERMS } from '../../support/search-arbitraries.ts';
import { sourceOf } from '../../support/ui/worker/fake-line.ts';

test('a scan finds the lines that the page finds', () => {
  fc.assert(
    fc.property(
      fc.array(lineOf(PIECES), { maxLength: 30 }),
      searchOf(TERMS),
      fc.array(fieldFilter, { maxLength: 2 }),
      fc.record({ matchCase: fc.boolean(), wholeWord: fc.boolean() }),
      (texts, typed, fields, options) => {
        const { finds, levels } = compileSearch({
          search: { text: typed, regex: false, ...options },
          fields,
        });
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
          recordsWith([each]).every(
            (record) => finds?.(record) !== false && levels?.(levelIndex(record.message)) !== false,
          ),
        );
        expect(scanned).toEqual(shown.map((line) => line.text));
      },
    ),
    { numRuns: 500 },
  );
});
