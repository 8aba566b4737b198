import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { outputOf } from '../measure/output-of.ts';
import { type PeakSource, peakSource } from '../measure/peak-memory.ts';
import type { Programs } from '../measure/programs.ts';

const PEAK_LABELS: Record<PeakSource, string> = {
  time:
    'Peak memory is the most that was resident at once, as the kernel counts it (ru_maxrss, from GNU time; the ' +
    'millisecond that GNU time takes is in the times of all programs).',
  proc: 'Peak memory is the most that was resident at once (VmHWM of /proc, looked at every 3 ms).',
  nobody: 'Peak memory is left out: there is neither GNU time nor /proc.',
};

/** Returns sentences for the report on the machine, the programs and their sizes. */
export async function machineFacts(
  root: string,
  programs: Programs,
  loadBefore: number,
): Promise<readonly string[]> {
  const kubectl = await outputOf([programs.kubectl, 'version', '--client'], process.env);
  const helm = await outputOf([programs.helm, 'version', '--short'], process.env);
  const processors = cpus();
  const singleFile = join(root, 'out/logtool');
  return [
    `${processors[0]?.model ?? 'unknown CPU'}, ${processors.length} cores; Node ${process.version}; ` +
      `kubectl ${/v[\d.]+/.exec(kubectl)?.[0]}, helm ${/v[\d.]+/.exec(helm)?.[0]}; load of the machine when it began: ${loadBefore.toFixed(1)} (a minute).`,
    `The npm package has ${await packageSize(root)}; dist/ has ${megabytes(folderBytes(join(root, 'dist')))} without source maps; ` +
      `the single file ${existsSync(singleFile) ? `has ${megabytes(statSync(singleFile).size)}` : 'was not built (npm run build:binary)'}.`,
    PEAK_LABELS[await peakSource()],
  ];
}

function folderBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** Returns the size that npm would pack from the build. */
async function packageSize(root: string): Promise<string> {
  const pack = ['npm', 'pack', '--dry-run', '--json', '--ignore-scripts'];
  const text = await new Promise<string>((resolve, reject) => {
    const [file = '', ...args] = pack;
    execFile(file, args, { cwd: root, maxBuffer: 2 ** 26 }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
  });
  const [packed] = JSON.parse(text) as { readonly size: number; readonly unpackedSize: number }[];
  return `${megabytes(packed?.size ?? 0)} packed and ${megabytes(packed?.unpackedSize ?? 0)} unpacked`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
