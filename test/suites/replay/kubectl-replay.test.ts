import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kubectl } from '../../support/oracles/kubectl.ts';
import { startWorld, type World } from './world.ts';

/** The real kubectl sends the simulated server the requests that it sent the recorded cluster. */
interface RecordedCommand {
  readonly command: string;
  readonly user: string;
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

const HOME = join(import.meta.dirname, '../../recorded/kubectl');

const A_LOG = 'its output is a log, which other tests read from the recorded files';
const MOVED_ON = 'recorded a quarter of an hour after the lists, when restarts and ages had moved on';
const NOT_REPLAYED: Readonly<Record<string, string>> = {
  'all-containers': A_LOG,
  'all-containers-prefix': A_LOG,
  crashloop: A_LOG,
  'default-container': A_LOG,
  deployment: A_LOG,
  'deployment-all-pods': A_LOG,
  'deployment-verbose-requests': A_LOG,
  'follow-ended': A_LOG,
  job: A_LOG,
  'limit-bytes': A_LOG,
  'no-default-container': A_LOG,
  'prefix-timestamps': A_LOG,
  selector: A_LOG,
  'selector-all': A_LOG,
  'verbose-requests': A_LOG,
  'image-pull-backoff': 'answered by the node; see behaviour-recorded-answers.test.ts',
  'init-stuck': 'answered by the node; see behaviour-recorded-answers.test.ts',
  'previous-absent': 'answered by the node; see behaviour-recorded-answers.test.ts',
  'selector-follow-limit': 'a hundred pods that were not recorded',
  'get-pods': MOVED_ON,
  'get-pods-wide': MOVED_ON,
  'get-events': MOVED_ON,
  'describe-crasher': MOVED_ON,
};

const names = readdirSync(HOME).map((file) => file.replace(/\.json$/, ''));
const replayed = names.filter((name) => !Object.hasOwn(NOT_REPLAYED, name));

let world: World;
beforeAll(async () => {
  world = await startWorld();
  // The recorder's kubectl knew the server's resources from earlier commands.
  await kubectl(['get', 'nodes'], world.server);
});
afterAll(() => world?.close());

function read(name: string): RecordedCommand {
  return JSON.parse(readFileSync(join(HOME, `${name}.json`), 'utf8'));
}

describe('a recorded command prints what it printed', () => {
  test.each(replayed)('%s', async (name) => {
    const { command, user, exitCode, stdout, stderr } = read(name);
    const args = command.split(' ').slice(1);
    const result = await kubectl(['--context', user, ...args], world.server);
    const printed = result.stdout.toString();
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toBe(stderr);
    expect(name === 'can-i-list' ? sorted(printed) : printed).toBe(
      name === 'can-i-list' ? sorted(stdout) : stdout,
    );
  });
});

test('every recording is replayed or has its reason', () => {
  expect(Object.keys(NOT_REPLAYED).filter((name) => !names.includes(name))).toEqual([]);
  expect(replayed.length).toBeGreaterThan(13);
});

/** A real server lists the rules of several bindings in no fixed order. */
function sorted(text: string): string {
  return text.split('\n').sort().join('\n');
}
