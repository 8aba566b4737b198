import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { withMessage } from '../../../../../test/support/with-message.ts';
import { parseLabelSelector, readSelector, selectorText, selects } from './label-selector.ts';

const labels = new Map([
  ['app', 'web'],
  ['tier', 'front'],
  ['weight', '7'],
  ['empty', ''],
  ['example.com/team', 'shop'],
]);

test.each([
  ['app=web', true],
  ['app==web', true],
  ['app=db', false],
  ['app!=db', true],
  ['app!=web', false],
  ['absent!=web', true],
  ['app in (web, db)', true],
  ['app in (db)', false],
  ['app notin (db)', true],
  ['app notin (web,db)', false],
  ['absent notin (web)', true],
  ['app', true],
  ['absent', false],
  ['!absent', true],
  ['! app', false],
  ['weight>5', true],
  ['weight > 7', false],
  ['weight<8', true],
  ['tier>1', false],
  ['empty=', true],
  ['app=', false],
  ['example.com/team=shop', true],
  [' app = web , tier = front ', true],
  ['app=web,tier=back', false],
  ['in=web', false],
])('%j: %s', (text, expected) => {
  expect(selects(parseLabelSelector(text), labels)).toBe(expected);
});

test.each([
  ['', 0],
  ['app=web,', 8],
  ['=web', 0],
  ['app in web', 7],
  ['app in (web', 11],
  ['app web', 4],
  ['app=a b', 6],
  ['a_/b=c', 0],
  ['app=-x', 4],
  ['weight>x', 7],
  ['(', 0],
])('%j is refused at %i', (text, index) => {
  try {
    parseLabelSelector(text);
  } catch (failure) {
    const error = withMessage(failure);
    expect(error.exit).toBe('usage');
    expect((error.why ?? '').split('\n')[2]?.indexOf('^')).toBe(index + 4);
    return;
  }
  throw new Error('it was accepted');
});

test('a selector that is read and written again selects the same', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', 'b', '=', '!', ' ', ',', '(', ')', '<', '1', ' in '),
    maxLength: 16,
  });
  fc.assert(
    fc.property(text, (given) => {
      let selector: ReturnType<typeof parseLabelSelector>;
      try {
        selector = parseLabelSelector(given);
      } catch (error) {
        expect(error).toBeInstanceOf(CodedError);
        return;
      }
      expect(parseLabelSelector(selectorText(selector))).toEqual(selector);
    }),
  );
});

test.each([
  [{ matchLabels: { app: 'web' } }, 'app=web'],
  [{ app: 'web', tier: 'front' }, 'app=web,tier=front'],
  [
    {
      matchExpressions: [
        { key: 'a', operator: 'In', values: ['x', 'y'] },
        { key: 'b', operator: 'NotIn', values: ['x'] },
        { key: 'c', operator: 'Exists' },
        { key: 'd', operator: 'DoesNotExist' },
      ],
    },
    'a in (x,y),b!=x,c,!d',
  ],
])('spec.selector %j is %s', (value, expected) => {
  expect(selectorText(readSelector(value) ?? [])).toBe(expected);
});

test.each([
  undefined,
  null,
  {},
  [],
  'x',
  { matchLabels: {} },
  { matchExpressions: [{ key: 'a', operator: 'No' }] },
  { a: 1 },
])('spec.selector %j selects nothing', (value) => {
  expect(readSelector(value)).toBeUndefined();
});
