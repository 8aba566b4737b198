import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepRecord } from '../../support/helm/keep-record.ts';
import { type ClusterProgram, startClusterProgram } from '../../support/program/cluster-program.ts';

/** Returns the content of a record with this user value. */
const recordOf = (name: string, config: string) =>
  `{"name":"${name}","namespace":"default","version":3,"info":{"status":"deployed"},` +
  `"chart":{"metadata":{"name":"logtool","version":"1.0.0"}},"config":{"a":${config}}}`;

/** 62 MB of text in 100 KB, and several GB of objects once parsed. */
const HOSTILE = recordOf('hostile', `[${'{},'.repeat(20_600_000)}1]`);
/** Larger than the largest chart: 400,000 values, 10 MB of text. */
const LARGE = recordOf('large', `[${'{"key":"some text"},'.repeat(200_000)}"${'t'.repeat(6_000_000)}"]`);

/** Not enough for the objects of the hostile record. */
const LITTLE_MEMORY = { NODE_OPTIONS: '--max-old-space-size=256' };

let program: ClusterProgram;
beforeAll(async () => {
  program = await startClusterProgram();
  await keepRecord(program.client, 'sound', recordOf('sound', '1'));
  await keepRecord(program.client, 'hostile', HOSTILE);
  await keepRecord(program.client, 'large', LARGE);
});
afterAll(() => program.close());

test('a record with more values than memory has room for is a row, beside the readable releases', async () => {
  const { code, stdout, stderr } = await program.run(['list', '-o', 'json'], LITTLE_MEMORY);
  expect(stderr).toContain(
    'note: cannot read sh.helm.release.v1.hostile.v3 in the namespace default: it has more than 2,097,152 values',
  );
  expect(code).toBe(0);
  const rows = JSON.parse(stdout) as { name: string; status: string }[];
  const statuses = Object.fromEntries(rows.map(({ name, status }) => [name, status]));
  expect(statuses).toEqual({ hostile: 'unreadable', large: 'deployed', sound: 'deployed' });
});

test.each([
  [['history']],
  [['status']],
  [['status', '-o', 'json']],
  [['history', '-o', 'yaml']],
  [['upgrade']],
  [['rollback', '--revision', '2']],
  [['uninstall']],
])('%j ends with an error that names the record', async (line) => {
  const { code, stdout, stderr } = await program.run(
    [...line, '--name', 'hostile', '-n', 'default'],
    LITTLE_MEMORY,
  );
  expect(stdout).toBe('');
  expect(stderr).toContain(
    'error: the secret sh.helm.release.v1.hostile.v3 in the namespace default does not contain a readable release\n' +
      '  why: it has more than 2,097,152 values\n',
  );
  expect(code).toBe(1);
});

test('a record that is larger than any real one is read', async () => {
  const { code, stderr } = await program.run(['status', '--name', 'large', '-n', 'default']);
  expect(stderr).toBe('');
  expect(code).toBe(0);
});
