import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeRelease, encodeRelease } from './encode.ts';

const RECORDED = join(import.meta.dirname, '../../../../test/recorded/helm');

interface StoredSecret {
  readonly metadata: { readonly name: string };
  readonly data: { readonly release: string };
}

/** The field `release` of every release Secret that the real Helm versions stored, by version and name. */
const stored = ['v3', 'v4'].flatMap((version) =>
  ['install', 'upgrade'].flatMap((command) => {
    const file = readFileSync(join(RECORDED, `${version}-${command}-release-secrets.json`), 'utf8');
    const { response } = JSON.parse(file) as { readonly response: { readonly body: string } };
    const { items } = JSON.parse(response.body) as { readonly items: readonly StoredSecret[] };
    return items.map(({ metadata, data }) => ({
      title: `${version} ${command} ${metadata.name}`,
      text: Buffer.from(data.release, 'base64').toString(),
    }));
  }),
);
const jsonOf = (text: string) =>
  JSON.parse(gunzipSync(Buffer.from(text, 'base64')).toString()) as Record<string, unknown>;
const textOf = (json: unknown) => gzipSync(JSON.stringify(json)).toString('base64');

/** Helm 3 writes an unset time as "", and stores no file times. */
function withoutEmptyTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyTimes);
  if (typeof value !== 'object' || value === null) return value;
  const TIMES = ['deleted', 'started_at', 'completed_at'];
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => key !== 'schemamodtime' && !(TIMES.includes(key) && item === ''))
      .map(([key, item]) => [key, withoutEmptyTimes(item)]),
  );
}

test('the recordings contain releases of both versions', () => {
  expect(stored.length).toBeGreaterThanOrEqual(6);
});

test.each(stored)('$title is read and written again with nothing lost or added', ({ text }) => {
  const again = jsonOf(encodeRelease(decodeRelease(text)));
  expect(withoutEmptyTimes(again)).toEqual(withoutEmptyTimes(jsonOf(text)));
});

test('a release of Helm 4 comes out as it went in, to the last field', () => {
  const text = stored.find(({ title }) => title.startsWith('v4'))?.text ?? '';
  expect(jsonOf(encodeRelease(decodeRelease(text)))).toEqual(jsonOf(text));
});

test('keeps unknown fields, at every level', () => {
  const text = stored.find(({ title }) => title.startsWith('v4 upgrade'))?.text ?? '';
  const json = jsonOf(text);
  const info = json.info as Record<string, unknown>;
  const chart = json.chart as Record<string, unknown>;
  const hooks = json.hooks as Record<string, unknown>[];
  const newer = {
    ...json,
    sequence: { stages: [1, 2.5, null] },
    info: { ...info, resources: { 'v1/Pod': [] } },
    chart: { ...chart, provenance: 'signed' },
    hooks: hooks.map((hook) => ({ ...hook, timeout: 5 })),
  };
  expect(jsonOf(encodeRelease(decodeRelease(textOf(newer))))).toEqual(newer);
});

test('a release that was stored before Helm compressed them is read', () => {
  const [{ text } = { text: '' }] = stored;
  expect(decodeRelease(Buffer.from(JSON.stringify(jsonOf(text))).toString('base64')).name).toBe('tiny');
});

const GOOD = { name: 'a', version: 1, info: { status: 'deployed' } };
test.each([
  ['no JSON', Buffer.from('{').toString('base64')],
  ['gzip that was cut', textOf(GOOD).slice(0, 40)],
  [
    'an archive that unpacks to more than a release may be',
    gzipSync(Buffer.alloc(2 ** 27 + 1)).toString('base64'),
  ],
  ['a list', textOf([])],
  ['nothing', textOf(null)],
  ['a name that is a number', textOf({ ...GOOD, name: 5 })],
  ['a revision that is a fraction', textOf({ ...GOOD, version: 1.5 })],
  ['hooks that are a text', textOf({ ...GOOD, hooks: 'none' })],
  ['templates of numbers', textOf({ ...GOOD, chart: { templates: [1] } })],
  ['a status that is an object', textOf({ ...GOOD, info: { status: {} } })],
])('%s is a malformed release, never a crash', (_, text) => {
  expect(() => decodeRelease(text)).toThrowError(expect.objectContaining({ name: 'MalformedRelease' }));
});

test('a status of a later Helm is unknown, and a key that looks like a prototype stays a key', () => {
  const strange = '{"name":"a","version":1,"info":{"status":"paused"},"config":{"__proto__":{"x":1}}}';
  const release = decodeRelease(Buffer.from(strange).toString('base64'));
  expect(release.info.status).toBe('unknown');
  expect([...release.config.keys()]).toEqual(['__proto__']);
  expect(({} as Record<string, unknown>).x).toBeUndefined();
});
