// Fills in the templates of packaging/: the manifests that krew, Homebrew and Scoop need to install a release.
import { archiveName, findTarget } from '../binary/binary-targets.mjs';

/** Templates below packaging/ and their output files, named as each package manager requires. */
export const MANIFESTS = [
  { template: 'logtool.krew.yaml', file: 'krew/logtool.yaml' },
  { template: 'logtool.homebrew.rb', file: 'homebrew/logtool.rb' },
  { template: 'logtool.scoop.json', file: 'scoop/logtool.json' },
];

/**
 * Returns the checksums of a SHA256SUMS file, by file name. Throws for a line that `sha256sum -c` cannot read.
 *
 * @param {string} text
 */
export function readSums(text) {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const match = /^([0-9a-f]{64}) [ *](\S+)$/.exec(line);
      if (match === null) throw new Error(`${JSON.stringify(line)} is no line of a SHA256SUMS file`);
      return [match[2], match[1]];
    }),
  );
}

/**
 * Returns a template with its values filled in: `{{version}}`, `{{description}}`, `{{license}}` and `{{repository}}` of
 * package.json, `{{url TARGET}}` and `{{sha256 TARGET}}` of a target's archive. Throws for any other name and for a
 * missing checksum.
 *
 * @param {string} template
 * @param {{ version: string, description: string, license: string, repository: { url: string } }} manifest
 * @param {ReadonlyMap<string, string>} sums
 */
export function renderManifest(template, manifest, sums) {
  const repository = manifest.repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
  const fixed = new Map([
    ['version', manifest.version],
    // Homebrew and Scoop require a description without a full stop.
    ['description', manifest.description.replace(/\.$/, '')],
    ['license', manifest.license],
    ['repository', repository],
  ]);
  return template.replace(/\{\{([^}]*)\}\}/g, (_, text) => {
    const [name, argument] = text.split(' ');
    if (argument === undefined && fixed.has(name)) return fixed.get(name);
    if (argument === undefined || !['url', 'sha256'].includes(name))
      throw new Error(`{{${text}}} is no value of a manifest`);
    const archive = archiveName(findTarget(argument));
    if (name === 'url') return `${repository}/releases/download/v${manifest.version}/${archive}`;
    const sum = sums.get(archive);
    if (sum === undefined) throw new Error(`SHA256SUMS has no checksum of ${archive}`);
    return sum;
  });
}
