// Makes the chart's README from its schema, which describes every value, and from its values.yaml, the defaults.
// `node scripts/chart-readme.mjs` writes it; a test compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';

const CHART = join(import.meta.dirname, '../charts/logtool');

/** The README's text. */
export function chartReadme() {
  const read = (name) => readFileSync(join(CHART, name), 'utf8');
  const metadata = load(read('Chart.yaml'));
  const schema = JSON.parse(read('values.schema.json'));
  const rows = describe(schema, load(read('values.yaml')), []);
  return `# ${metadata.name}

${metadata.description}

This chart puts logtool's dashboard into a cluster. Whoever opens it signs in with a Kubernetes token of their own and
sees what that token may read: the pods' own service account has no right at all.

\`\`\`sh
logtool cluster install                # with logtool's own package manager
helm install logtool charts/logtool --namespace logtool --create-namespace     # or with Helm
\`\`\`

Its notes, printed after the installation, say how to open it. \`helm test logtool --namespace logtool --logs\` asks
the dashboard through its Service; the pod of the last test stays, and is gone with its namespace or by
\`kubectl delete pod\`. The chart needs Kubernetes ${metadata.kubeVersion.replace(/-0$/, '')}, and runs under the Pod Security level
\`restricted\`.

## Values

| value | what | default |
| ----- | ---- | ------- |
${rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n')}

This page is made from \`values.schema.json\` and \`values.yaml\` by \`node scripts/chart-readme.mjs\`.
`;
}

/** A row for each value that holds something; what is only a group of values has none. */
function describe(schema, value, path) {
  const isGroup = schema.properties !== undefined;
  const row = [[`\`${path.join('.')}\``, schema.description, `\`${JSON.stringify(value)}\``]];
  if (!isGroup) return value === undefined ? [] : row;
  return Object.entries(schema.properties).flatMap(([name, property]) =>
    describe(property, value?.[name], [...path, name]),
  );
}

if (process.argv[1] === import.meta.filename) writeFileSync(join(CHART, 'README.md'), chartReadme());
