import { join } from 'node:path';
import { comparison } from '../measure/compare.ts';
import { manifestObjects, releaseObjects } from '../measure/objects-in.ts';
import { outputOf } from '../measure/output-of.ts';
import { type Bench, type Case, Skipped, whereOf } from './case.ts';

const RELEASES = ['bench-one', 'bench-two', 'bench-three'];
const chartOf = ({ root }: Bench) => join(root, 'charts/logtool');

const listed = ({ cluster }: Bench) => ['cluster', 'list', '--kubeconfig', cluster.kubeconfig];
/** By itself helm ends after 256 of them. */
const listedByHelm = ({ cluster, programs }: Bench) => [
  programs.helm,
  'list',
  '--all-namespaces',
  '--max=0',
  '--kubeconfig',
  cluster.kubeconfig,
];

/** The package's own chart, rendered, and releases, listed, beside helm. */
export const PACKAGE_CASES: readonly Case[] = [
  // logtool asks the cluster what it can do, as helm does with `server`; with `client` helm asks nobody.
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

/** Releases to list: three in the simulated cluster; in another one the existing ones. */
async function listable(bench: Bench): Promise<void> {
  const { cluster, programs } = bench;
  if (cluster.simulated === undefined) return readable(bench, ['--all-namespaces']);
  const install = ['cluster', 'install', '--chart', chartOf(bench), '--no-wait', ...whereOf(cluster)];
  for (const name of RELEASES)
    await outputOf([...(programs.logtools[0]?.command ?? []), ...install, '--name', name], cluster.env);
}

/** Releases are secrets; before helm renders one with the server's help it checks for one of that name. */
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
  // It ends with 1 when the answer is no.
  const answer = await outputOf(ask, cluster.env).catch((error: Error) => error.message);
  if (answer.trim() !== 'yes') throw new Skipped(`the user may not list secrets (${where.join(' ')})`);
}
