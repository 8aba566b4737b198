import { join } from 'node:path';
import { comparison } from '../measure/compare.ts';
import { manifestObjects, releaseObjects } from '../measure/objects-in.ts';
import { outputOf } from '../measure/output-of.ts';
import { type Bench, type Case, Skipped, whereOf } from './case.ts';

const RELEASES = ['bench-one', 'bench-two', 'bench-three'];
const chartOf = ({ root }: Bench) => join(root, 'charts/logtool');

const listed = ({ cluster }: Bench) => ['cluster', 'list', '--kubeconfig', cluster.kubeconfig];
/** By default helm lists only 256 releases. */
const listedByHelm = ({ cluster, programs }: Bench) => [
  programs.helm,
  'list',
  '--all-namespaces',
  '--max=0',
  '--kubeconfig',
  cluster.kubeconfig,
];

/** Renders the package's own chart and lists releases, compared with helm. */
export const PACKAGE_CASES: readonly Case[] = [
  // logtool queries the cluster's capabilities, as helm does with `server`; with `client` helm queries nothing.
  ...['server', 'client'].map((side) =>
    comparison({
      name: `helm render ${side}`,
      prepare: async (bench) => {
        if (side === 'server') await readable(bench, ['-n', bench.cluster.namespace]);
      },
      logtool: (bench) => [
        'cluster',
        'install',
        '--name',
        'bench',
        '--chart',
        chartOf(bench),
        '--dry-run',
        ...whereOf(bench.cluster),
      ],
      peer: (bench) => [
        [
          bench.programs.helm,
          'install',
          'bench',
          chartOf(bench),
          `--dry-run=${side}`,
          ...whereOf(bench.cluster),
        ],
      ],
      alike: 'objects',
      objectsIn: manifestObjects,
    }),
  ),
  comparison({
    name: 'helm list',
    prepare: listable,
    logtool: (bench) => listed(bench),
    peer: (bench) => [listedByHelm(bench)],
    logtoolCompared: (bench) => [...listed(bench), '--output=json'],
    peerCompared: (bench) => [[...listedByHelm(bench), '--output=json']],
    alike: 'objects',
    objectsIn: releaseObjects,
  }),
];

/** Provides releases to list: installs three in the simulated cluster; another cluster has its own. */
async function listable(bench: Bench): Promise<void> {
  const { cluster, programs } = bench;
  if (cluster.simulated === undefined) return readable(bench, ['--all-namespaces']);
  const install = ['cluster', 'install', '--chart', chartOf(bench), '--no-wait', ...whereOf(cluster)];
  for (const name of RELEASES)
    await outputOf([...(programs.logtools[0]?.command ?? []), ...install, '--name', name], cluster.env);
}

/**
 * Checks for permission to list secrets, which hold releases; before rendering with the server, helm checks whether the
 * release name exists.
 */
async function readable({ cluster, programs }: Bench, where: readonly string[]): Promise<void> {
  const ask = [
    programs.kubectl,
    'auth',
    'can-i',
    'list',
    'secrets',
    ...where,
    '--kubeconfig',
    cluster.kubeconfig,
  ];
  // kubectl exits with 1 if the answer is no.
  const answer = await outputOf(ask, cluster.env).catch((error: Error) => error.message);
  if (answer.trim() !== 'yes') throw new Skipped(`the user may not list secrets (${where.join(' ')})`);
}
