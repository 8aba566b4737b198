import { load } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { commonStart, servedByBoth } from './common-start.ts';
import { NOT_REPLAYED } from './not-replayed.ts';
import { type Recording, recordingsIn } from './recordings.ts';
import { inOneOrder, withoutVolatile } from './volatile.ts';
import { startWorld, type World } from './world.ts';

/**
 * Whole exchanges with a server that contains the recorded cluster's objects. Watches have a separate test.
 */
const FOLDERS = ['errors', 'list', 'table', 'rbac', 'discovery'];
const recordings = FOLDERS.flatMap(recordingsIn);

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

describe('a recorded request gets the recorded answer', () => {
  const replayed = recordings.filter(({ name }) => !Object.hasOwn(NOT_REPLAYED, name));
  test.concurrent.each(replayed.map((recording) => [recording.name, recording] as const))(
    '%s',
    async (_name, recording) => {
      const answer = await ask(world, recording);
      const { response } = recording;
      expect(answer.status).toBe(response.status);
      expect(answer.headers['content-type']).toBe(response.headers['Content-Type']);
      const recorded = response.body ?? '';
      expect(content(recording, answer.body, recorded)).toEqual(content(recording, recorded, answer.body));
      expect(answer.body.startsWith('{\n')).toBe((response.body ?? '').startsWith('{\n'));
      expect(answer.body.endsWith('\n')).toBe((response.body ?? '').endsWith('\n'));
    },
  );
});

test('every recording is replayed or has its reason', () => {
  const names = new Set(recordings.map(({ name }) => name));
  expect(Object.keys(NOT_REPLAYED).filter((name) => !names.has(name))).toEqual([]);
});

/** The list contains the first two of four jobs. */
const JOBS_KNOWN = 2;

function content(recording: Recording, body: string, other: string): unknown {
  const { name, request, response } = recording;
  if (/\/log\b/.test(request.path) && response.status === 200) return 'a log';
  if (/[?&]watch=true/.test(request.path) && response.status === 200) {
    return body
      .trim()
      .split('\n')
      .map((line) => withoutVolatile(JSON.parse(line)));
  }
  if (response.headers['Content-Type'] === 'application/yaml') return withoutVolatile(load(body));
  if (!response.headers['Content-Type']?.startsWith('application/json')) return body;
  const value = withoutVolatile(JSON.parse(body)) as Record<string, unknown>;
  if (name.includes('-ssar-')) return { ...value, metadata: {} };
  if (name.endsWith('/selfsubjectreview')) return { ...value, metadata: {} };
  if (name === 'table/jobs') {
    return { ...value, rows: (value.rows as readonly unknown[]).slice(0, JOBS_KNOWN) };
  }
  if (name.startsWith('discovery/')) return servedByBoth(value, JSON.parse(other));
  if (recording.notes.trimmed !== undefined) return commonStart(value, JSON.parse(other));
  return name.includes('-ssrr') ? inOneOrder(value) : value;
}
