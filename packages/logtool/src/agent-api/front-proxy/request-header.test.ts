import { createAuthority } from '@logtool/simcluster/src/access/tls.ts';
import { aggregationRecording } from '@logtool/simcluster/test/support/recorded-aggregation.ts';
import { expect, test } from 'vitest';
import { parseRequestHeader } from './request-header.ts';

const { data } = JSON.parse(aggregationRecording('configmap').response.body ?? '');
const CA = 'requestheader-client-ca-file';
const NAMES = 'requestheader-allowed-names';

test('reads the ConfigMap of a real cluster', () => {
  const header = parseRequestHeader(data);
  expect(header).toMatchObject({
    allowedNames: ['front-proxy-client'],
    userHeaders: ['x-remote-user'],
    uidHeaders: ['x-remote-uid'],
    groupHeaders: ['x-remote-group'],
    extraPrefixes: ['x-remote-extra-'],
  });
  expect('authorities' in header && header.authorities.map(({ subject }) => subject)).toEqual([
    'CN=front-proxy-ca',
  ]);
});

test('reads every authority of a bundle', async () => {
  const next = await createAuthority('front-proxy-ca');
  const header = parseRequestHeader({ ...data, [CA]: `${data[CA]}\n${next.certificate}` });
  expect('authorities' in header && header.authorities).toHaveLength(2);
});

test.each([[undefined], [''], ['null'], ['[]']])('admits every common name if the list is %j', (names) => {
  expect(parseRequestHeader({ ...data, [NAMES]: names })).toMatchObject({ allowedNames: [] });
});

test.each([
  ['no data', undefined, { key: CA, problem: 'absent' }],
  ['no authority', { ...data, [CA]: undefined }, { key: CA, problem: 'absent' }],
  ['an empty authority', { ...data, [CA]: ' \n' }, { key: CA, problem: 'absent' }],
  [
    'text in place of the authority',
    { ...data, [CA]: 'certificate' },
    { key: CA, problem: 'not-certificates' },
  ],
  ['half an authority', { ...data, [CA]: data[CA].slice(0, 300) }, { key: CA, problem: 'not-certificates' }],
  [
    'an authority and half of another',
    { ...data, [CA]: `${data[CA]}${data[CA].slice(0, 300)}` },
    { key: CA, problem: 'not-certificates' },
  ],
  [
    'names that are not JSON',
    { ...data, [NAMES]: 'front-proxy-client' },
    { key: NAMES, problem: 'not-names' },
  ],
  ['names that are an object', { ...data, [NAMES]: '{}' }, { key: NAMES, problem: 'not-names' }],
  ['an empty name', { ...data, [NAMES]: '[""]' }, { key: NAMES, problem: 'not-names' }],
  [
    'no header with the user',
    { ...data, 'requestheader-username-headers': '[]' },
    { key: 'requestheader-username-headers', problem: 'absent' },
  ],
])('knows no front proxy with %s', (_, text, problem) => {
  expect(parseRequestHeader(text)).toEqual(problem);
});
