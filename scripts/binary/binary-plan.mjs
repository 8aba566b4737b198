// Plans the output of `npm run build:binary`.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { executableName, findTarget, hostTarget, TARGETS } from './binary-targets.mjs';

/**
 * Returns the plan for the arguments. Files are below `out`, except with `--outfile`. Throws for conflicting arguments
 * and for unknown targets.
 */
export function planBinaries(args, out, host = process) {
  const { values } = parseArgs({
    args,
    options: {
      target: { type: 'string', multiple: true },
      all: { type: 'boolean', default: false },
      outfile: { type: 'string' },
      // Tests that check a version set their own.
      version: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.all && values.target !== undefined) throw new Error('--all and --target exclude each other');
  const names = values.all ? TARGETS.map(({ name }) => name) : [...new Set(values.target ?? [])];
  const targets = names.map(findTarget);
  const base = { version: values.version, help: values.help };
  if (values.outfile !== undefined) {
    if (targets.length > 1) throw new Error('--outfile is for one target; several go to out/binaries');
    const target = targets[0] ?? hostTarget(host);
    return { ...base, executables: [{ target, path: values.outfile }] };
  }
  if (targets.length === 0) {
    const target = hostTarget(host);
    const path = join(out, target.format === 'PE' ? 'logtool.exe' : 'logtool');
    return { ...base, executables: [{ target, path }], sums: join(out, 'SHA256SUMS') };
  }
  const folder = join(out, 'binaries');
  return {
    ...base,
    executables: targets.map((target) => ({ target, path: join(folder, executableName(target)) })),
    archiveFolder: folder,
    sums: join(folder, 'SHA256SUMS'),
  };
}
