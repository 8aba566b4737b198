/**
 * Where logtool's own chart is published: the repository's name, which Helm uses too, the chart's name in it,
 * and its address. `cluster.repo-url` of the configuration file, LOGTOOL_CHART_REPO and `cluster repo add
 * URL` override the address.
 */
export const CHART_REPOSITORY: {
  readonly name: string;
  readonly chart: string;
  readonly url: string;
} = {
  name: 'logtool',
  chart: 'logtool',
  url: 'https://logtool.github.io/logtool',
};
