import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Folders in which most tests start neither a server nor a program. */
const FOLDERS = [
  ...[
    'domain',
    'contract',
    'messages',
    'resolve',
    'happenings',
    'cli',
    'stream',
    'backend',
    'ui',
    'server',
  ].map((room) => `packages/logtool/src/${room}`),
  'packages/helm/src',
  'packages/kube/src',
  'packages/simcluster/src',
];

/** Matches tests in the other packages that start one, directly or through a test helper. */
const STARTS = /'node:(?:https?|http2|net|tls)'|\/oracles\/|\bstart[A-Z]\w*\(/;

/** These run for long, so a separate start costs them little. */
const LONG = /\.(?:fuzz|parity|property)\.test\.ts$/;

/** Matches code that changes or measures the process, which would affect all files in it. */
const CHANGES_PROCESS =
  /\bvi\.(?!fn\b)|\bprocess\.(?:on|once|chdir|umask|exitCode|memoryUsage|cpuUsage)\b|\bprocess\.env\.\w+ = |\bdelete process\b|\bglobalThis\.\w+ = |\bfindThreadScripts\(|'node:(?:child_process|worker_threads|v8|vm)'/;

/**
 * Lists the test files that share processes, one file after the other: each module they import loads once for
 * all of them. Excludes, by its text, a file that mocks or that affects the whole process.
 */
export function filesTogether(): string[] {
  return FOLDERS.flatMap((folder) => {
    const isOfLogtool = folder.startsWith('packages/logtool/');
    return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((file) => file.endsWith('.test.ts') && !LONG.test(file))
      .filter((file) => {
        const text = readFileSync(join(ROOT, file), 'utf8');
        return !CHANGES_PROCESS.test(text) && (isOfLogtool || !STARTS.test(text));
      });
  });
}
