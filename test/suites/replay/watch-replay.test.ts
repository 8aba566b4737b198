import type { StoredObject } from '@logtool/simcluster/src/store/store.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { type Recording, readRecording, recordingsIn } from './recordings.ts';
import { withoutVolatile } from './volatile.ts';
import { startWorld, type World } from './world.ts';

interface Line {
  readonly type: string;
  readonly object: StoredObject;
}

/** The recording drives the whole of a recorded watch, on a separate server. */
const REPLAYED: Readonly<Record<string, 'initial' | 'live' | 'error'>> = {
  'no-rv-initial-added': 'initial',
  'rv-0-initial-added': 'initial',
  'deprecated-watch-prefix': 'initial',
  gzip: 'initial',
  'limit-on-watch': 'initial',
  'send-initial-events': 'initial',
  'send-initial-events-empty': 'initial',
  'send-initial-events-false': 'initial',
  'send-initial-events-metadata': 'initial',
  'send-initial-events-no-bookmarks': 'initial',
  'single-object-path': 'initial',
  'timeout-seconds': 'initial',
  'bookmark-at-timeout': 'initial',
  'watch-ghost-namespace': 'initial',
  'rv-too-large': 'initial',
  'pod-life': 'live',
  'send-initial-events-no-match': 'error',
  'rv-invalid': 'error',
  'rv-too-old-cache': 'error',
  'rv-too-old-table': 'error',
  'yaml-accept': 'error',
};
const NOT_REPLAYED: Readonly<Record<string, string>> = {
  'apiserver-stops': 'about time alone; see server.test.ts',
  'apiserver-stops-http2': 'about time alone; see server.test.ts',
  'bookmarks-300s': 'the middle of the recorded body was cut out',
  'field-selector-phase': 'holds metadata only, not the phases that made the events; see watch.test.ts',
  'pod-life-metadata-only': 'holds metadata only, not the objects; see watch.test.ts',
  'pod-life-table': 'holds metadata only, not the objects; see watch.test.ts',
  'send-initial-events-table': 'holds metadata only, not the objects; see watch.test.ts',
  'rv-before-restart': 'needs a server that restarts; see server.test.ts',
  'selector-leave-and-enter': 'the objects that stopped to match are not in it; see watch.test.ts',
  'timeout-seconds-http2': 'the same as timeout-seconds; HTTP/2 is held to by kubectl',
  websocket: 'the simulated server has no WebSocket',
};

/** Something else in the cluster changed while these ran; only their bookmarks show it. */
const MOVED_ON = ['send-initial-events-empty', 'bookmark-at-timeout'];

let world: World;
beforeEach(async () => {
  world = await startWorld();
  const stale = world.store.get('pods', 'lab', 'quiet');
  if (stale !== undefined) world.store.remove('pods', 'lab', 'quiet');
});
afterEach(() => world.close());

describe('serves a recorded watch as recorded', () => {
  test.each(Object.entries(REPLAYED))('%s', async (name, kind) => {
    const recording = readRecording(`watch/${name}`);
    if (kind === 'initial') seed(recording);
    const adjusted = withKnownVersion(recording);
    const meanwhile = kind === 'live' ? () => play(recording) : MOVED_ON.includes(name) ? moveOn : undefined;
    const answer = await ask(world, adjusted, meanwhile);
    const { response } = recording;
    expect(answer.status).toBe(response.status);
    expect(answer.headers['content-type']).toBe(response.headers['Content-Type']);
    expect(answer.headers['content-encoding']).toBe(undefined);
    if (response.headers['Content-Type'] === 'application/yaml') return;
    expect(events(answer.body)).toEqual(events(response.body ?? ''));
  });
});

test('every recording is replayed or has its reason', () => {
  const names = recordingsIn('watch').map(({ name }) => name.replace('watch/', ''));
  expect([...Object.keys(REPLAYED), ...Object.keys(NOT_REPLAYED)].sort()).toEqual(names.sort());
});

function lines(recording: Recording): readonly Line[] {
  return (recording.response.body ?? '')
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

/** Puts the objects of the initial events into the store. */
function seed(recording: Recording): void {
  for (const line of lines(recording)) {
    const object = line.object ?? (line as unknown as StoredObject);
    if (line.type !== undefined && line.type !== 'ADDED') continue;
    if (world.store.get('pods', 'lab', object.metadata.name) !== undefined) continue;
    world.store.create('pods', { ...object, kind: 'Pod', apiVersion: 'v1' });
  }
}

/** Makes the recorded changes, then ends the server's watches like the recorder did. */
async function play(recording: Recording): Promise<void> {
  for (const { type, object } of lines(recording)) {
    const { namespace, name } = object.metadata;
    if (type === 'ADDED') world.store.create('pods', object);
    else if (type === 'MODIFIED') {
      world.store.update('pods', namespace, name, (stored) => {
        for (const key of Object.keys(stored)) delete stored[key];
        Object.assign(stored, structuredClone(object));
        return undefined;
      });
    } else world.store.remove('pods', namespace, name);
  }
  await world.server.stop();
}

function moveOn(): void {
  const metadata = { name: 'else', namespace: 'lab' };
  world.store.create('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata });
}

/** Replaces a resourceVersion of the recorded cluster by one of this server; keeps unusual ones. */
function withKnownVersion(recording: Recording): Recording {
  const path = recording.request.path.replace(/resourceVersion=(\d{4})(?!\d)/, () => {
    return `resourceVersion=${world.store.resourceVersion}`;
  });
  return { ...recording, request: { ...recording.request, path } };
}

function events(body: string): unknown {
  return body
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => withoutVolatile(JSON.parse(line)));
}
