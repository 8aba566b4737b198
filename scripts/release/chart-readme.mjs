// Generates the chart's README from its schema, which describes every value, and from values.yaml, the defaults.
// `node scripts/release/chart-readme.mjs` writes it; a test compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';

const CHART = join(import.meta.dirname, '../../charts/logtool');

/** Returns the README's text. */
export function chartReadme() {
  const read = (name) => readFileSync(join(CHART, name), 'utf8');
  const metadata = load(read('Chart.yaml'));
  const schema = JSON.parse(read('values.schema.json'));
  return `${installation(metadata)}${operation()}${values(describe(schema, load(read('values.yaml')), []))}`;
}

function installation(metadata) {
  return `# ${metadata.name}

${metadata.description}

This chart installs logtool's dashboard in a cluster. People sign in with a Kubernetes token of their own and see what
that token may read; the pods' own service account has no permissions.

\`\`\`sh
logtool cluster install                # with logtool's own package manager
helm install logtool charts/logtool --namespace logtool --create-namespace     # or with Helm
\`\`\`

The notes printed after the installation explain how to open it, and how to create an account and a token.
\`helm test logtool --namespace logtool --logs\` calls the dashboard through its Service; the pod of the last test stays
until you delete it. The chart needs Kubernetes ${metadata.kubeVersion.replace(/-0$/, '')}, and runs under the Pod Security level
\`restricted\`, except for the agents of \`agent.enabled\`, which need \`privileged\`: they mount the logs of their nodes.
Their accounts may do what docs/agent.md lists, and read no log.

## Let people reach it

- Ingress: \`dashboard.ingress.enabled=true\`, \`dashboard.ingress.hosts\`, and \`dashboard.ingress.tls\`, since tokens
  travel to the dashboard.
- Gateway API: \`dashboard.httpRoute.enabled=true\`, \`dashboard.httpRoute.parentRefs\` and \`dashboard.httpRoute.hostnames\`.
  Followed logs are requests that do not end: if the gateway limits them, set
  \`dashboard.httpRoute.timeouts.request=0s\`.
- \`dashboard.service.type=NodePort\` or \`LoadBalancer\`, with the names that people use in
  \`dashboard.allowedHosts\`: the dashboard refuses other names, so that no website can read logs by DNS rebinding.

`;
}

function operation() {
  return `## Sessions

A cookie holds the session, sealed with keys from a Secret. All replicas share the keys and upgrades keep them, so people
stay signed in. Signing out removes the cookie from the browser and ends the streams of the pod that handles it; other
pods end theirs when the token expires or the cluster rejects it.

The chart creates the Secret and keeps its key on upgrades. It needs access to the cluster for that. With
\`helm template\` or Argo CD, create the Secret yourself, or each rendering has a new key and signs everyone out:

\`\`\`sh
kubectl --namespace logtool create secret generic logtool-keys --from-literal=keys="$(openssl rand -base64 48)"
helm upgrade logtool charts/logtool --namespace logtool --set dashboard.session.existingSecret=logtool-keys
\`\`\`

To replace a key, put the new one on a line below the old one and restart the pods, then swap the two lines and restart,
and remove the old key after 12 hours, when every session that it sealed has ended. The first line seals, all of them open.

## Network policy

The pods may reach DNS and the ports of API servers, nothing else. A policy sees the target port of the Service
\`kubernetes\`, which \`kubectl get endpointslices --selector kubernetes.io/service-name=kubernetes\` shows: 443 on most
managed clusters, 6443 with kubeadm, k3s, kind and OpenShift, 8443 with minikube, 16443 with MicroK8s. For any other port,
set \`dashboard.networkPolicy.apiServerPorts\`.

## Metrics

\`dashboard.metrics.enabled=true\` serves Prometheus metrics at \`/metrics\` on a port and a Service of their own, without
sign-in, and \`dashboard.metrics.serviceMonitor.enabled=true\` creates a ServiceMonitor. The metrics cover requests, streams, log lines and
bytes, errors of the cluster, and event-loop lag. They contain no names of namespaces, workloads or people.
\`dashboard.networkPolicy.metricsFrom\` limits who reaches them.

## OpenShift

OpenShift chooses the user of a pod from a range of the namespace and rejects a fixed one:

\`\`\`sh
helm install logtool charts/logtool --namespace logtool --create-namespace \\
  --set dashboard.podSecurityContext.runAsUser=null --set dashboard.podSecurityContext.runAsGroup=null
\`\`\`

`;
}

function values(rows) {
  return `## Values

| value | what | default |
| ----- | ---- | ------- |
${rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n')}

\`node scripts/release/chart-readme.mjs\` writes this page from \`values.schema.json\` and \`values.yaml\`.
`;
}

/** Returns a row for each value; a group of values has no row of its own, unless it is empty. */
function describe(schema, value, path) {
  const isEmpty = value !== undefined && Object.keys(value).length === 0;
  const isGroup = schema.properties !== undefined && !isEmpty;
  const row = [[`\`${path.join('.')}\``, schema.description, `\`${JSON.stringify(value)}\``]];
  if (!isGroup) return value === undefined ? [] : row;
  return Object.entries(schema.properties).flatMap(([name, property]) =>
    describe(property, value?.[name], [...path, name]),
  );
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(CHART, 'README.md'), chartReadme());
