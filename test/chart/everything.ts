/** Values, as `--set` takes them, that turn on everything that the chart can make. */
export const EVERYTHING = [
  'dashboard.ingress.enabled=true',
  'dashboard.ingress.hosts={logs.example.com}',
  'dashboard.ingress.tls[0].secretName=logs-tls',
  'dashboard.networkPolicy.from[0].namespaceSelector.matchLabels.team=ops',
  'dashboard.basePath=/logs',
  'allowedNamespaces={shop,data}',
  'readers[0].kind=Group,readers[0].name=oncall',
  'commonAnnotations.team=ops',
  'commonLabels.team=ops',
  'image.pullSecrets={registry}',
  `image.digest=sha256:${'0'.repeat(64)}`,
];
