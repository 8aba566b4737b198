import { CHART_REPOSITORY } from '@logtool/helm/src/repository/chart-repository.ts';
import { type ColumnName, DEFAULT_COLUMNS } from '../../domain/columns.ts';

/** One key of the configuration file. */
export interface ConfigKey {
  /** Path with dots: `commands.logs.tail`. */
  readonly path: string;
  readonly kind: 'text' | 'integer' | 'boolean' | 'columns';
  readonly default: string | number | boolean | readonly ColumnName[];
  readonly doc: string;
  /** For integers: the least and the greatest value. */
  readonly range?: readonly [number, number];
}

/** The schema version that this program writes and reads. */
export const CONFIG_VERSION = 1;

const COUNT = [0, Number.MAX_SAFE_INTEGER] as const;

/** Every key of the file, in the order in which it is written. */
export const CONFIG_KEYS: readonly ConfigKey[] = [
  {
    path: 'version',
    kind: 'integer',
    default: CONFIG_VERSION,
    doc: 'Schema version of this file',
    range: [1, CONFIG_VERSION],
  },
  {
    path: 'general.kubeconfig',
    kind: 'text',
    default: '',
    doc: 'Path of the kubeconfig; empty: KUBECONFIG, then ~/.kube/config',
  },
  {
    path: 'commands.logs.kube-context',
    kind: 'text',
    default: '',
    doc: "Context to use; empty: the kubeconfig's current one",
  },
  {
    path: 'commands.logs.head',
    kind: 'integer',
    default: 10,
    doc: 'Number of records from the beginning, where --head names none',
    range: COUNT,
  },
  {
    path: 'commands.logs.tail',
    kind: 'integer',
    default: 10,
    doc: 'Number of records from the end, where --tail names none',
    range: COUNT,
  },
  {
    path: 'commands.logs.columns',
    kind: 'columns',
    default: DEFAULT_COLUMNS,
    doc: 'Columns of the output: timestamp, dot, node, region, zone, os, arch, namespace, pod, container',
  },
  {
    path: 'commands.serve.host',
    kind: 'text',
    default: 'localhost',
    doc: 'Network interface that the dashboard listens on',
  },
  {
    path: 'commands.serve.port',
    kind: 'integer',
    default: 7500,
    doc: 'TCP port of the dashboard',
    range: [0, 65_535],
  },
  {
    path: 'commands.serve.skip-open',
    kind: 'boolean',
    default: false,
    doc: 'Do not open the browser when the dashboard starts',
  },
  {
    path: 'cluster.repo-url',
    kind: 'text',
    default: CHART_REPOSITORY.url,
    doc: 'Address of the chart repository for logtool cluster',
  },
  {
    path: 'dashboard.columns',
    kind: 'columns',
    default: DEFAULT_COLUMNS,
    doc: 'Columns that the dashboard shows at first',
  },
];

export type ConfigFormat = 'yaml' | 'json' | 'toml';
