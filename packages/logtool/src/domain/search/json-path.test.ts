import { describe, expect, test } from 'vitest';
import { readsLike } from './json-path.ts';
import { fieldNamesOf, hasField, matchTerms } from './line-matcher.ts';
import { LINE_FLAGS } from './line-search.ts';
import { parseSearch } from './search-query.ts';

function finds(query: string, text: string, level = 0): boolean {
  const matcher = matchTerms(parseSearch(query), { matchCase: false, wholeWord: false });
  return matcher.matches({ text, level, flags: LINE_FLAGS.json });
}

describe('the value of a field', () => {
  test('is a number as written: longer ones than JavaScript knows, and zeros at the end', () => {
    const line = '{"id":12345678901234567890,"price":1.50}';
    expect(finds('@id:12345678901234567890', line)).toBe(true);
    expect(finds('@id:12345678901234567891', line)).toBe(false);
    expect(finds('@json.price:1.50', line)).toBe(true);
    expect(finds('@price:1.5', line)).toBe(true);
    expect(finds('@price:1.500', line)).toBe(false);
  });

  test('is no part of another number', () => {
    expect(readsLike(1.5, '1.50', true, '{"a":11.50,"b":1.5}')).toBe(false);
    expect(readsLike(1.5, '1.50', true, '{"a":1.50}')).toBe(true);
    expect(readsLike('x', '1.50', true, '{"a":"x","b":1.50}')).toBe(false);
  });
});

describe('a comparison', () => {
  test('compares numbers, also those that are written as texts', () => {
    const line = '{"ms":250,"size":"12.5","name":">100"}';
    expect(finds('@ms:>100', line)).toBe(true);
    expect(finds('@ms:>250', line)).toBe(false);
    expect(finds('@ms:>=250', line)).toBe(true);
    expect(finds('@size:<12.6', line)).toBe(true);
    expect(finds('@size:<=12', line)).toBe(false);
    expect(finds('-@ms:>100', line)).toBe(false);
    // A value that is not a number is compared as text.
    expect(finds('@name:>100', line)).toBe(true);
    expect(finds('@other:<5', line)).toBe(false);
  });
});

describe('a key of logfmt', () => {
  const line = 'level=info msg="cart is full" items=12 user=ada trace.id=80c6';
  test('has its value, as those of JSON', () => {
    expect(finds('@items:12', line)).toBe(true);
    expect(finds('@items:1', line)).toBe(false);
    expect(finds('@items:>10', line)).toBe(true);
    expect(finds('@msg:"cart is full"', line)).toBe(true);
    expect(finds('@trace.id:80c6', line)).toBe(true);
    expect(finds('-@user:ada', line)).toBe(false);
    expect(finds('-@user:bob', line)).toBe(true);
    expect(finds('@nobody:ada', line)).toBe(false);
  });
});

describe('a field of a head, which a line does not name', () => {
  const access = '10.0.0.9 - ada [21/Nov/2026:10:00:00 +0000] "GET /cart HTTP/1.1" 200 444 "-" "curl/8.1"';
  const spring = '2026-11-21 10:00:00.000  INFO 200 --- [main] a.b.Cart : 503 items';
  const zap = '2026-11-21T10:00:00.000Z\tinfo\tcart\tfull\t{"items":12,"owner":{"id":7}}';
  test('is found by its name, and no other number is taken for it', () => {
    expect(finds('@status:200', access)).toBe(true);
    expect(finds('@status:444', access)).toBe(false);
    expect(finds('@status:>=500', access)).toBe(false);
    expect(finds('@bytes:>400', access)).toBe(true);
    expect(finds('@client:10.0.0.9', access)).toBe(true);
    expect(finds('@user_agent:curl/8.1', access)).toBe(true);
    expect(finds('-@user:ada', access)).toBe(false);
    expect(finds('@pid:200', spring)).toBe(true);
    expect(finds('@pid:503', spring)).toBe(false);
    expect(finds('@thread:main', spring)).toBe(true);
    expect(finds('@logger:cart', zap)).toBe(true);
    expect(finds('@items:12', zap)).toBe(true);
    expect(finds('@owner.id:7', zap)).toBe(true);
  });

  test('is a field that the line has', () => {
    for (const path of ['status', 'client', 'bytes', 'user_agent', 'user'])
      expect(hasField({ text: access, flags: 0 }, path)).toBe(true);
    expect(hasField({ text: access, flags: 0 }, 'thread')).toBe(false);
    for (const text of [access, spring, zap])
      for (const path of fieldNamesOf({ text, flags: 0 }))
        expect(hasField({ text, flags: 0 }, path)).toBe(true);
  });
});

describe('@level', () => {
  test('may be the beginning of a name, several, or none', () => {
    const levels = (query: string) =>
      parseSearch(query).flatMap((term) => ('levels' in term ? [term.levels] : []));
    expect(levels('@level:er')).toEqual([['error']]);
    expect(levels('@level:WARN,err,')).toEqual([['warn', 'error']]);
    expect(levels('@level:none')).toEqual([['none']]);
    expect(levels('@level:nonsense')).toEqual([[]]);
  });

  test('asks for nothing before it is typed to its end', () => {
    expect(parseSearch('timeout @level:')).toEqual([{ kind: 'text', text: 'timeout', not: false }]);
  });

  test('none is what has no level', () => {
    expect(finds('@level:none', 'text', 6)).toBe(true);
    expect(finds('@level:none', 'text', 1)).toBe(false);
    expect(finds('-@level:none', 'text', 1)).toBe(true);
  });
});
