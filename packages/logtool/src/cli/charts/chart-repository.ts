/**
 * Where logtool's own chart is published: the name under which the repository is known to Helm too, the chart's name in
 * it, and its address, which `cluster.repo-url` of the configuration file, LOGTOOL_CHART_REPO and `cluster repo add URL`
 * override.
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
