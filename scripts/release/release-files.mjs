// Lists the files of a release.
import { archiveName, executableName, TARGETS } from '../binary/binary-targets.mjs';

/**
 * Returns every file of the release except SHA256SUMS, which lists them all: its path in the build, relative to out/,
 * and its name in the release.
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
    // Scoop derives the name of the app from the file name.
    { from: 'manifests/scoop/logtool.json', name: 'logtool.json' },
  ];
}
