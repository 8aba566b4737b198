import { join } from 'node:path';
import { comparison } from '../measure/compare.ts';
import { outputOf } from '../measure/output-of.ts';
import { type Bench, type Case, Skipped, whereOf } from './case.ts';

const RELEASES = ['bench-one', 'bench-two', 'bench-three'];
const chartOf = ({ root }: Bench) => join(root, 'charts/logtool');

/** The package's own chart, rendered, and releases, listed, beside helm. */
export const PACKAGE_CASES: readonly Case[] = [
  // logtool asks the cluster what it can do, as helm does with `server`; with `client` helm asks nobody.
  ...['server', 'client'].map((side) =>
    comparison({
      name: `helm render ${side}`,
      logtool: (bench) => [
        ...['cluster', 'install', '--name', 'bench', '--chart', chartOf(bench), '--dry-run'],
        ...whereOf(bench.place),
      ],
      peer: (bench) => [
        [
          ...[bench.programs.helm, 'install', 'bench', chartOf(bench), `--dry-run=${side}`],
          ...whereOf(bench.place),
        ],
      ],
      alike: 'nothing',
    }),
  ),
  comparison({
    name: 'helm list',
    prepare: listable,
    logtool: ({ place }) => ['cluster', 'list', '--kubeconfig', place.kubeconfig],
    peer: ({ place, programs }) => [
      [programs.helm, 'list', '--all-namespaces', '--kubeconfig', place.kubeconfig],
    ],
    alike: 'nothing',
  }),
];

/** Releases to list: three in the simulated cluster; in another one what is there, where it may be read. */
async function listable(bench: Bench): Promise<void> {
  const { place, programs } = bench;
  if (place.simulated === undefined) {
    const ask = [
      programs.kubectl,
      'auth',
      'can-i',
      'list',
      'secrets',
      '-A',
      '--kubeconfig',
      place.kubeconfig,
    ];
    const may = await outputOf(ask, place.env).catch((error: Error) => error.message);
    if (may.trim() !== 'yes') throw new Skipped('the user may not list secrets in all namespaces');
    return;
  }
  const [node] = programs.logtools;
  for (const name of RELEASES)
    await outputOf(
      [
        ...(node?.command ?? []),
        ...['cluster', 'install', '--name', name, '--chart', chartOf(bench), '--no-wait', ...whereOf(place)],
      ],
      place.env,
    );
}
