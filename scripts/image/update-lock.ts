import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { APT_OPTIONS, MIRROR } from './debian-archive.ts';
import { DEBIAN_PACKAGES, SUITE } from './debian-files.ts';
import { type DebianPackage, type Lock, PLATFORMS } from './lock.ts';
import { NODE_MAJOR, nodePackage } from './node-files.ts';
import { runTool } from './run-tool.ts';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Returns the newest Debian packages, from lists that Debian signed, and the newest Node of the major version. */
export function newestLock(folder: string, now: Date): Lock {
  return {
    debianAt: now.toISOString().replaceAll(/[-:]|\.\d+/g, ''),
    debian: newestDebian(join(folder, 'apt')),
    node: newestNode(),
  };
}

/** Runs apt with its own lists, configuration and state: neither needs nor changes the machine's. */
function newestDebian(folder: string): DebianPackage[] {
  if (!existsSync(KEYRING))
    throw new Error(`${KEYRING} is missing: install the package debian-archive-keyring, then try again`);
  for (const path of ['lists/partial', 'cache/archives/partial', 'preferences.d'])
    mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, 'status'), '');
  writeFileSync(join(folder, 'debian.sources'), sources());
  writeFileSync(join(folder, 'apt.conf'), configuration(folder));
  const apt = (...args: string[]) =>
    runTool('apt-get', ['-c', join(folder, 'apt.conf'), ...APT_OPTIONS, ...args]).toString();
  apt('update', '--error-on=any');
  const wanted = DEBIAN_PACKAGES.flatMap(({ name, isForAll }) =>
    isForAll ? [`${name}:all`] : PLATFORMS.map(({ architecture }) => `${name}:${architecture}`),
  );
  const found = apt('download', '--print-uris', ...wanted)
    .split('\n')
    .filter((line) => line !== '')
    .map(packageOf);
  if (found.length !== wanted.length) throw new Error(`apt found ${found.length} of ${wanted.join(', ')}`);
  return found.sort((a, b) => (a.name + a.architecture < b.name + b.architecture ? -1 : 1));
}

function sources(): string {
  const common = `Components: main\nArchitectures: amd64 arm64\nSigned-By: ${KEYRING}\n`;
  return [
    `Types: deb\nURIs: ${MIRROR}/debian\nSuites: ${SUITE} ${SUITE}-updates\n${common}`,
    `Types: deb\nURIs: ${MIRROR}/debian-security\nSuites: ${SUITE}-security\n${common}`,
  ].join('\n');
}

function configuration(folder: string): string {
  return `#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Post-Invoke;
#clear APT::Architectures;
APT::Architecture "amd64";
APT::Architectures { "amd64"; "arm64"; };
Acquire::Languages "none";
Dir::State::lists "${folder}/lists";
Dir::State::status "${folder}/status";
Dir::Cache "${folder}/cache";
Dir::Etc::SourceList "${folder}/debian.sources";
Dir::Etc::SourceParts "-";
Dir::Etc::PreferencesParts "${folder}/preferences.d";
`;
}

/** Parses a line of --print-uris: 'http://...deb' name_version_architecture.deb size SHA256:digest. */
function packageOf(line: string): DebianPackage {
  const [, url = '', sha256 = ''] = /^'([^']+)' \S+ \d+ SHA256:([0-9a-f]{64})$/.exec(line) ?? [];
  const [, archive = '', path = ''] = /^http:\/\/[^/]+\/([^/]+)\/(.+)$/.exec(url) ?? [];
  const [name, version, architecture] =
    decodeURIComponent(path)
      .replace(/\.deb$/, '')
      .split('/')
      .at(-1)
      ?.split('_') ?? [];
  if (name === undefined || version === undefined || architecture === undefined)
    throw new Error(`cannot read what apt printed: ${line}`);
  return {
    name,
    architecture: architecture as DebianPackage['architecture'],
    version,
    archive,
    path,
    sha256,
  };
}

/** Returns the newest version for both architectures. */
function newestNode(): Lock['node'] {
  const lists = PLATFORMS.map((platform) => {
    const text = runTool('npm', [
      'view',
      `${nodePackage(platform)}@${NODE_MAJOR}`,
      'version',
      'dist.integrity',
      '--json',
    ]);
    const rows = JSON.parse(text.toString()) as { version: string; 'dist.integrity': string }[];
    return new Map(rows.map((row) => [row.version, row['dist.integrity']]));
  });
  const [amd64, arm64] = lists;
  const common = [...(amd64?.keys() ?? [])].filter((version) => arm64?.has(version));
  const version = common.sort((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1) ?? '';
  const integrity = { amd64: amd64?.get(version), arm64: arm64?.get(version) };
  if (integrity.amd64 === undefined || integrity.arm64 === undefined)
    throw new Error(`npm has no Node ${NODE_MAJOR} for both architectures`);
  return { version, integrity: { amd64: integrity.amd64, arm64: integrity.arm64 } };
}
