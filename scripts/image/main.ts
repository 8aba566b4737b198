// Builds the image as an OCI archive, without Docker:
// npm run build:image [-- --platform linux/arm64 --outfile FILE].
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildImage } from './build-image.ts';
import { LOCK_FILE, PLATFORMS, ROOT, readLock, writeLock } from './lock.ts';
import { newestLock } from './update-lock.ts';

const HELP = `Usage: npm run build:image [-- flags]

Makes the image of logtool as an OCI archive, without Docker. It needs Debian or Ubuntu (apt, dpkg) and the network.

  --outfile FILE     where to write the archive (default out/logtool-image.tar)
  --platform NAME    linux/amd64 or linux/arm64; repeat for several (default both)
  --lock FILE        the list of packages to use (default scripts/image/lock.json)
  --cache FOLDER     keeps downloads and compressed layers (default .cache/image)
  --update           first writes the newest packages of Debian and Node to the lock file
  --help             show this help

SOURCE_DATE_EPOCH sets the time of creation in the image (seconds since 1970, default 0).`;

const { values } = parseArgs({
  options: {
    outfile: { type: 'string', default: join(ROOT, 'out/logtool-image.tar') },
    platform: { type: 'string', multiple: true, default: PLATFORMS.map(({ name }) => name) },
    lock: { type: 'string', default: LOCK_FILE },
    cache: { type: 'string', default: join(ROOT, '.cache/image') },
    update: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(HELP);
else await main().catch(fail);

/** Reports a failed download, tool or file by its message, which says what to do; a stack trace would not help. */
function fail(error: Error): void {
  console.error(`error: ${error.message}`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const platforms = values.platform.map((wanted) => {
    const found = PLATFORMS.find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`--platform ${wanted}: use linux/amd64 or linux/arm64`);
    return found;
  });
  if (process.platform !== 'linux')
    throw new Error('build:image needs Debian or Ubuntu: it uses apt and dpkg');
  if (values.update) await writeLock(values.lock, newestLock(values.cache, new Date()));
  const { archive, reference, digest, sizes } = await buildImage({
    lock: await readLock(values.lock),
    platforms,
    cache: values.cache,
    createdAtSeconds: Number(process.env.SOURCE_DATE_EPOCH ?? 0),
  });
  const outfile = resolve(values.outfile);
  await mkdir(dirname(outfile), { recursive: true });
  await writeFile(outfile, archive);
  const file = relative(process.cwd(), outfile);
  console.log(`${file}: ${megabytes(archive.length)}, ${reference}, ${digest}`);
  for (const { platform, bytes } of sizes) console.log(`  ${platform}: ${megabytes(bytes)} unpacked`);
  console.log(`
Load it with one of:
  docker load --input ${file}
  sudo ctr --namespace k8s.io images import ${file}
  kind load image-archive ${file}`);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
