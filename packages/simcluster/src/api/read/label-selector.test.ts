import { describe, expect, test } from 'vitest';
import { labelsMatch, parseLabelSelector } from './label-selector.ts';

const labels = { app: 'web', tier: 'front', rank: '5' };

describe('a selector matches', () => {
  test.each([
    ['', true],
    ['app=web', true],
    ['app==web,tier=front', true],
    ['app!=web', false],
    ['zone!=a', true],
    ['app in (web, db)', true],
    ['app in ()', false],
    ['app notin (web)', false],
    ['zone notin (a)', true],
    ['app', true],
    ['!app', false],
    ['!zone', true],
    ['rank>4', true],
    ['rank gt 5', false],
    ['rank < 6', true],
    ['app=', false],
    [' app = web , ! zone ', true],
    ['in=x', false],
  ])('%s: %s', (selector, expected) => {
    expect(labelsMatch(parseLabelSelector(selector), labels)).toBe(expected);
  });
});

describe("refuses an invalid selector with the API's message", () => {
  test.each([
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['app in (web', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['app in web', "unable to parse requirement: found 'web' expected: '('"],
    ['a,', "found '', expected: identifier after ','"],
    [',a', "found ',', expected: !, identifier, or 'end of string'"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    [
      'a>x',
      "unable to parse requirement: values[0][a]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
  ])('%s', (selector, message) => {
    expect(() => parseLabelSelector(selector)).toThrow(expect.objectContaining({ code: 400, message }));
  });
});

test('labels named like methods of objects are labels', () => {
  expect(labelsMatch(parseLabelSelector('constructor'), {})).toBe(false);
  expect(labelsMatch(parseLabelSelector('toString=x'), {})).toBe(false);
});
