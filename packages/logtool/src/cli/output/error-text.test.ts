import { expect, test } from 'vitest';
import { maskSecrets } from './error-text.ts';

const TOKEN = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln';

test.each([
  ['Authorization: Bearer abc.def/g=', 'Authorization: Bearer ***'],
  [`it was ${TOKEN}, and then`, 'it was ***, and then'],
  [`id-${TOKEN} and ${TOKEN}`, 'id-*** and ***'],
  ['eyJ alone, eyJx too', 'eyJ alone, eyJx too'],
  ['https://ann:secret@host/', 'https://ann:***@host/'],
  ['?id_token=abc&b=1', '?id_token=***&b=1'],
])('%s', (text, masked) => {
  expect(maskSecrets(text)).toBe(masked);
});

test('what begins like a token again and again costs no more than its length', () => {
  const text = 'eyJ-'.repeat(2 ** 18);
  expect(maskSecrets(text)).toBe(text);
});
