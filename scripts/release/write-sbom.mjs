// Writes out/logtool.cdx.json, the CycloneDX bill of materials of the last build: npm run build:sbom.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { runNpm } from '../run/start-tool.mjs';
import { bundledPackages, releaseSbom } from './sbom.mjs';

const root = join(import.meta.dirname, '../..');
const read = (path) => readFileSync(join(root, path), 'utf8');
const { status, stdout, error } = runNpm(
  ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application'],
  { cwd: root, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8', maxBuffer: 2 ** 28 },
);
if (status !== 0) throw new Error('npm sbom failed', { cause: error });
const texts = ['dist/licenses.txt', 'dist/ui/licenses.txt'].map(read);
const sbom = releaseSbom(
  JSON.parse(stdout),
  new Set(texts.flatMap(bundledPackages)),
  JSON.parse(read('package.json')).name,
  JSON.parse(read('scripts/image/lock.json')),
);
const path = join(root, 'out/logtool.cdx.json');
mkdirSync(join(root, 'out'), { recursive: true });
writeFileSync(path, `${JSON.stringify(sbom, undefined, 2)}\n`);
console.log(`${relative(process.cwd(), path)}, ${sbom.components.length} components`);
