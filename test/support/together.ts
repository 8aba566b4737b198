import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Where most tests start no server and no program. */
const FOLDERS = [
  ...['domain', 'contract', 'messages', 'resolve', 'happenings', 'cli', 'stream', 'ui', 'server'].map(
    (room) => `packages/logtool/src/${room}`,
  ),
  'packages/helm/src',
  'packages/kube/src',
  'packages/simcluster/src',
];

/** What starts one, in the other packages: by itself, or by what helps tests there. */
const STARTS = /'node:(?:https?|http2|net|tls)'|\/oracles\/|\bstart[A-Z]\w*\(/;

/** They run for long, so a start of their own costs them little. */
const LONG = /\.(?:fuzz|parity|property)\.test\.ts$/;

/** What changes or measures the process, which all files in it would see. */
const CHANGES_PROCESS =
  /\bvi\.(?!fn\b)|\bprocess\.(?:on|once|chdir|umask|exitCode|memoryUsage|cpuUsage)\b|\bprocess\.env\.\w+ = |\bdelete process\b|\bglobalThis\.\w+ = |\bfindThreadScripts\(|'node:(?:child_process|worker_threads|v8|vm)'/;

/**
 * The test files that share processes, one file after the other: each module that they import is loaded once for all of
 * them. A file that mocks, or that touches what belongs to the whole process, stays out by its text.
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
