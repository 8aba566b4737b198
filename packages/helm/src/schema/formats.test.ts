import { expect, it } from 'vitest';
import { templateInHelm } from '../../../../test/support/oracles/helm-template.ts';
import { issuesOf } from '../../test/support/issues-of.ts';
import { readValues } from '../values/user-values.ts';
import { validateValues } from './validate-values.ts';

/** Texts for each format: valid ones, and ones invalid in each way. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  'json-pointer': ['', '/', '/a/b~0~1', 'a', '/~', '/~2', '/é'],
  'relative-json-pointer': ['0', '1#', '12/a', '01', '', 'x', '1x', '-1'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000', '123', 'x-x-x-x-x', '123g4567-e89b-12d3-a456-426614174000'],
  semver: ['1.2.3', '1.2.3-a.b+c.d', '1.2', '1..3', '01.2.3', '1.x.3', '1.2.3-', '1.2.3-01', '1.2.3-a_b'],
  'semver ': ['1.2.3+', '1.2.3+a..b', '1.2.3+é', '1.2.3-a..b', 'v1.2.3', '', '1.2.3-0a', '1.2.3+01'],
  regex: ['a+', '^(a|b)$', '[', '(?=x)', '*', 'a**'],
  ipv4: ['1.2.3.4', '0.0.0.0', '1.2.3', '256.1.1.1', '01.1.1.1', 'a.1.1.1', '1.1.1.', '-1.1.1.1', '+1.1.1.1'],
  ipv6: ['::1', '2001:db8::1', '::ffff:1.2.3.4', '1.2.3.4', 'x', '::1%eth0'],
  hostname: [
    'a',
    'a.b.',
    'a-b.c',
    '-a',
    'a-',
    'a..b',
    'a_b',
    'é',
    '',
    `${'a'.repeat(64)}.b`,
    'a.'.repeat(130),
  ],
  email: ['a@b.c', 'a', '.a@b', 'a.@b', 'a..b@c', '"a b"@c', 'a b@c', 'a@[1.2.3.4]', 'a@[IPv6:::1]'],
  'email ': [
    'a@[x]',
    'a@[IPv6:x]',
    'a@b_c',
    `${'a'.repeat(65)}@b`,
    `a@${'b'.repeat(260)}`,
    '"a\\b"@c',
    'é@c',
  ],
  date: ['2024-02-29', '2023-02-29', '2024-13-01', '2024-1-1', 'x', '2024-01-01x', ''],
  time: ['10:20:30Z', '10:20:30.123+01:00', '23:59:60Z', '10:20:60Z', '24:00:00Z', '10:20:30', '10:20:3xZ'],
  'time ': ['00:59:60+01:00', '10:20:30.Z', '10:20:30+1:00', '10:20:30x01:00', '10:20:30+01-00', '1:20:300Z'],
  'time  ': ['10:20:30+0x:00', '10:20:30+24:00', '10:20:30z', '-1:20:30Z', '10:20:30+-1:00', ''],
  'date-time': ['2024-01-01T10:20:30Z', '2024-01-01t10:20:30z', '2024-01-01 10:20:30Z', '2024-01-01T10:20Z'],
  'date-time ': ['2023-02-29T10:20:30Z', '2024-01-01T25:20:30Z', '2024-01-01'],
  duration: [
    'P1D',
    'P1Y2M3DT4H5M6S',
    'P2W',
    'P',
    'PT',
    '1D',
    'P1',
    'PD',
    'P1H',
    'P1D1Y',
    'PW',
    'PxW',
    'PT1HT1M',
  ],
  'duration ': ['PT1D', 'P1S', 'PT1H1H', 'P1DT', 'P1DT1HT', 'P1.5D'],
  period: ['2024-01-01T10:20:30Z/P1D', 'P1D/2024-01-01T10:20:30Z', 'x', 'P1D/P1D', 'x/y', 'P/x'],
  'period ': [
    '2024-01-01T10:20:30Z/2024-01-01T10:20:30Z',
    '2024-01-01T10:20:30Z/P',
    '2024-01-01T10:20:30Z/x',
  ],
  uri: [
    'http://a/b',
    'urn:a:b',
    '/a',
    'a',
    '',
    'http://[::1]/',
    'http://::1/',
    'http://a b/',
    '%zz',
    ':',
    'http://a:x',
  ],
  iri: ['http://é/ü', 'é'],
  'uri-reference': ['/a', 'http://a', 'a\\b', '%zz', '', '#a', 'http://[x]/'],
  'iri-reference': ['/é', 'a\\b'],
  'uri-template': ['http://a/{b}/c', '/{a', '/a}', '/{{a}}', '/a', '/{a}{b}', 'http://[x]/{a}', '/{a}/%7Bb'],
  'never-heard-of': ['anything'],
};

const CASES = Object.entries(TEXTS).flatMap(([name, texts]) =>
  texts.map((text) => [name.trim(), text] as const),
);
const VALUES = JSON.stringify(Object.fromEntries(CASES.map(([, text], at) => [`v${at}`, text])));

function schema(draft: string): string {
  const properties = Object.fromEntries(CASES.map(([format], at) => [`v${at}`, { format }]));
  return JSON.stringify({ $schema: draft, properties });
}

async function theirs(draft: string): Promise<string[]> {
  const { stderr } = await templateInHelm('4.1.4', {
    'Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
    'values.yaml': VALUES,
    'values.schema.json': schema(draft),
  });
  return stderr.split('\n').filter((line) => line.startsWith('- at'));
}

async function ours(draft: string): Promise<string[]> {
  const lines: string[] = [];
  // A report has at most 50 lines.
  for (let from = 0; from < CASES.length; from += 40) {
    const batch = CASES.slice(from, from + 40).map(([, text], at) => [`v${from + at}`, text]);
    lines.push(...(await issues(draft, JSON.stringify(Object.fromEntries(batch)))));
  }
  return lines;
}

async function issues(draft: string, values: string): Promise<string[]> {
  const chart = {
    metadata: { apiVersion: 'v2', name: 'chart', version: '1.0.0' },
    templates: [],
    values: new Map(),
    files: [],
    dependencies: [],
    schema: Buffer.from(schema(draft)),
  };
  try {
    await validateValues(chart, readValues(values));
    return [];
  } catch (thrown) {
    return issuesOf(thrown).filter((line) => line.startsWith('- at'));
  }
}

it.each(['04', '06', '07'])('says of every format of draft %s what helm 4 says', async (number) => {
  const draft = `http://json-schema.org/draft-${number}/schema#`;
  const lines = await theirs(draft);
  expect(lines.length).toBeGreaterThan(90);
  expect((await ours(draft)).sort()).toEqual(lines.sort());
});

it.each(['2019-09', '2020-12'])('takes formats of draft %s for notes, as helm 4', async (name) => {
  const draft = `https://json-schema.org/draft/${name}/schema`;
  expect(await theirs(draft)).toEqual([]);
  expect(await ours(draft)).toEqual([]);
});
