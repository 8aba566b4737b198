import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Chart, ChartMetadata } from '@logtool/helm/src/chart/chart.ts';
import type { ValueMap } from '@logtool/helm/src/value/value.ts';
import { readYamlMap } from '@logtool/helm/src/yaml/read-yaml.ts';

/** Files of a chart by path, as an author writes them. */
export type ChartSource = Readonly<Record<string, string>>;

const WEB = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}-web
  labels: {app: {{ .Release.Name }}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}}}
    spec:
      containers:
        - name: main
          image: {{ .Values.image | quote }}
          env: [{name: MESSAGE, value: {{ .Values.message | quote }}}]
`;

/**
 * A chart with what releases usually contain: a Deployment, a ConfigMap, an object that depends on a value,
 * hooks, notes.
 */
export const TINY: ChartSource = {
  'Chart.yaml': 'apiVersion: v2\nname: tiny\nversion: 0.1.0\nappVersion: 1.4.2\ndescription: a tiny chart\n',
  'values.yaml': 'replicas: 1\nimage: tools:1.0.0\nmessage: hello\nextra: false\n',
  'templates/web.yaml': WEB,
  'templates/config.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-config\ndata:\n  message: {{ .Values.message | quote }}\n  revision: {{ .Release.Revision | quote }}\n',
  'templates/extra.yaml':
    '{{- if .Values.extra }}\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-extra\ndata: {}\n{{- end }}\n',
  'templates/kept.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name }}-kept\n  annotations: {helm.sh/resource-policy: keep}\ndata: {}\n',
  'templates/NOTES.txt':
    '{{ .Release.Name }} says {{ .Values.message }}, revision {{ .Release.Revision }}.\n',
};

/** Returns a Job that runs at events of the release and ends at once. */
export const hook = (events: string, extra = ''): ChartSource => ({
  [`templates/${events.split(',')[0]}.yaml`]: `apiVersion: batch/v1
kind: Job
metadata:
  name: {{ .Release.Name }}-${events.split(',')[0]}
  annotations: {helm.sh/hook: "${events}"${extra}}
spec:
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: tools, env: [{name: SIMCLUSTER_BEHAVIOR, value: "exit: {code: 0}"}]}]
`,
});

/** Returns the chart of these files, as the loader would read it. */
export function chartOf(source: ChartSource): Chart {
  const files = Object.entries(source).map(([name, text]) => ({ name, data: Buffer.from(text) }));
  const own = new Set(['Chart.yaml', 'values.yaml']);
  const metadata = Object.fromEntries(readYamlMap(source['Chart.yaml'] ?? ''));
  return {
    metadata: metadata as unknown as ChartMetadata,
    templates: files.filter(({ name }) => name.startsWith('templates/')),
    values: readYamlMap(source['values.yaml'] ?? '{}'),
    files: files.filter(({ name }) => !name.startsWith('templates/') && !own.has(name)),
    dependencies: [],
  };
}

/** Writes the files into a folder for the real helm, and returns its path. */
export async function writeChart(folder: string, source: ChartSource): Promise<string> {
  for (const [name, text] of Object.entries(source)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return folder;
}

/** Parses values from YAML. */
export function valuesOf(yaml: string): ValueMap {
  return readYamlMap(yaml);
}
