import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectCleanPrototypes, expectPlain } from '../../../../test/support/fuzz/escaped.ts';
import { hostileText } from '../../../../test/support/fuzz/hostile-text.ts';
import { FUZZ, FUZZED } from '../../../../test/support/fuzz/seed.ts';
import { withMessage } from '../../../../test/support/with-message.ts';
import { parseSource, type SourceSpec } from './source-syntax.ts';

const piece = fc.oneof(
  fc.constantFrom('web', 'pods', 'Deploy.v1.apps', '*', '-', '.', '/', ':', '..', 'a'.repeat(254), '漢', ''),
  hostileText,
);
const wild = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(''));
const name = fc.stringMatching(/^[a-z0-9*]([a-z0-9*-]{0,10}[a-z0-9*])?$/);
const fitting = fc
  .tuple(
    fc.option(name),
    fc.option(fc.constantFrom('pods', 'Deploy', 'rollouts.v1.x.io')),
    name,
    fc.option(name),
  )
  .map(([namespace, kind, own, container]) => {
    const path = kind === null ? own : `${kind}/${own}${container === null ? '' : `/${container}`}`;
    return namespace === null ? path : `${namespace}:${path}`;
  });
const argument = fc.oneof(
  { weight: 3, arbitrary: wild },
  fitting,
  fc.tuple(fitting, piece).map((pieces) => pieces.join('')),
);

function parsedOrRefused(text: string): SourceSpec | 'refused' {
  try {
    return parseSource(text);
  } catch (failure) {
    checkRefusal(text, failure);
    return 'refused';
  }
}

function checkRefusal(text: string, failure: unknown): void {
  const error = withMessage(failure);
  if (error.exit !== 'usage') throw failure;
  const why = (error.why ?? '').split('\n');
  expect(why).toHaveLength(3);
  expect(why[2]).toMatch(/^ {4,}\^$/);
  // Checks every line, since its newlines are legitimate.
  for (const line of [error.what, ...why, error.next ?? '']) expectPlain(line, text);
  expect(error.what).not.toContain('\n');
}

test(`any source argument is read or refused with words and a caret (${FUZZED})`, () => {
  let read = 0;
  fc.assert(
    fc.property(argument, (text) => {
      const parsed = parsedOrRefused(text);
      if (parsed === 'refused') return;
      read++;
      const { namespace, kind, name, container } = parsed;
      for (const field of [namespace, name, container])
        if (field !== undefined) expect(field.text).toMatch(/^[a-z0-9.*-]{1,253}$/);
      expect(kind?.name ?? 'pods').toMatch(/^[a-z0-9-]+$/);
      const tail = [name.text, container?.text].filter((rest) => rest !== undefined);
      expect(text.endsWith(tail.join('/'))).toBe(true);
    }),
    FUZZ,
  );
  expect(read).toBeGreaterThan(FUZZ.numRuns / 50);
  expectCleanPrototypes('sources');
});
