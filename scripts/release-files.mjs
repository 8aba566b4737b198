// Which files a release has.
import { archiveName, executableName, TARGETS } from './binary-targets.mjs';

/**
 * Every file of the release beside SHA256SUMS, which names them all: where the build leaves it, relative to out/, and
 * its name in the release.
 *
 * @param {string} version of package.json and of the chart
 */
export function releaseFiles(version) {
  const binaries = TARGETS.flatMap((target) => [executableName(target), archiveName(target)]);
  return [
    ...binaries.map((name) => ({ from: `binaries/${name}`, name })),
    { from: 'logtool-image.tar', name: 'logtool-image.tar' },
    { from: `chart/logtool-${version}.tgz`, name: `logtool-chart-${version}.tgz` },
    { from: 'logtool.cdx.json', name: 'logtool.cdx.json' },
    { from: 'manifests/krew/logtool.yaml', name: 'logtool.krew.yaml' },
    { from: 'manifests/homebrew/logtool.rb', name: 'logtool.rb' },
    // Scoop takes the name of what it installs from the name of the file.
    { from: 'manifests/scoop/logtool.json', name: 'logtool.json' },
  ];
}
