import { type ChartCase, object } from './chart-case.ts';

const KINDS = [
  'Deployment',
  'ConfigMap',
  'Zebra',
  'Service',
  'Namespace',
  'Ingress',
  'Apple',
  'Job',
  'ServiceAccount',
  'Secret',
  'CustomResourceDefinition',
  'ClusterRole',
  'RoleBinding',
  'StatefulSet',
  'PriorityClass',
  'HorizontalPodAutoscaler',
  'CronJob',
  'Pod',
  'PersistentVolumeClaim',
  'NetworkPolicy',
];

const hook = (events: string, more = '') =>
  object(
    'Job',
    `hook-${events.replaceAll(/\W/g, '')}`,
    `  annotations:\n    helm.sh/hook: ${events}\n${more}`,
  );

/** How files are split, sorted and distinguished. */
export const ORDER_CHARTS: readonly ChartCase[] = [
  {
    name: 'kinds',
    files: Object.fromEntries(
      KINDS.map((kind, at) => [
        `templates/${String.fromCharCode(122 - at)}.yaml`,
        object(kind, `${kind.toLowerCase()}-${at}`),
      ]),
    ),
  },
  {
    name: 'documents',
    files: {
      'templates/many.yaml': [
        '---',
        object('Service', 'b'),
        '---',
        '# only a comment',
        '---',
        '',
        '---   ',
        object('ConfigMap', 'a'),
        '--- # with a comment',
        object('Pod', 'c'),
        '---',
        '---',
        '',
      ].join('\n'),
      'templates/leading.yaml': `\n\n\n# before\n---\n${object('ConfigMap', 'lead')}\n\n\n`,
      'templates/inside.yaml': object('ConfigMap', 'inside', 'data:\n  text: |\n    a\n    ---\n    b\n'),
      'templates/dashes.yaml': `${object('ConfigMap', 'one')}---not: separate\n`,
      'templates/windows.yaml': `${object('ConfigMap', 'crlf').replaceAll('\n', '\r\n')}---\r\n${object('Secret', 'crlf2')}`,
      'templates/blank.yaml': '  \n\t\n',
      'templates/empty.yaml': '',
      'templates/nothing.yaml': '{{ if false }}x{{ end }}\n',
      'templates/just-comment.yaml': '# nothing here\n',
      'templates/null.yaml': 'null\n',
      'templates/readme.md': 'kind: Readme\n',
      'templates/data.json': '{"kind": "Json", "metadata": {"name": "j"}}',
      'templates/_helpers.tpl': '{{ define "unused" }}x{{ end }}',
      'templates/_ignored.yaml': object('Pod', 'never'),
      'templates/sub/_too.yaml': object('Pod', 'never'),
      'templates/sub/deep/in.yaml': object('Pod', 'deep'),
      'templates/_dir/in.yaml': object('Pod', 'in-underscored-folder'),
      'templates/NOTES.txt': 'Thanks for {{ .Chart.Name }}.\n',
      'templates/sub/NOTES.txt': 'Not an object.\n',
      'templates/MYNOTES.txt': 'Not an object either.\n',
    },
  },
  {
    name: 'hooks',
    files: {
      'templates/a.yaml': hook('pre-install', '    helm.sh/hook-weight: "5"\n'),
      'templates/b.yaml': hook('post-install,post-upgrade', '    helm.sh/hook-weight: "-5"\n'),
      'templates/c.yaml': hook('test-success'),
      'templates/d.yaml': hook(
        '"Pre-Install, POST-DELETE"',
        '    helm.sh/hook-delete-policy: hook-succeeded, before-hook-creation\n',
      ),
      'templates/e.yaml': hook('never-heard-of'),
      'templates/f.yaml': hook('pre-install,never-heard-of'),
      'templates/g.yaml': hook('crd-install'),
      'templates/h.yaml': hook('""'),
      'templates/i.yaml': hook(
        'test',
        '    helm.sh/hook-weight: 7\n    helm.sh/hook-output-log-policy: hook-failed\n',
      ),
      'templates/j.yaml': object('ConfigMap', 'plain', '  annotations:\n    a: b\n'),
      'templates/k.yaml': object(
        'ConfigMap',
        'numbers',
        '  annotations:\n    a: 1\n    b: true\n    c: null\n',
      ),
      'templates/l.yaml': object('Secret', 'first', '  annotations: {helm.sh/hook: pre-install}\n'),
      'templates/m.yaml': object('Secret', 'null-annotations', '  annotations:\n'),
      'templates/two.yaml': `${hook('pre-delete')}---\n${object('Service', 'not-a-hook')}---\n${hook('post-rollback')}`,
    },
  },
  {
    name: 'kind-number',
    files: {
      'templates/a.yaml': 'kind: 5\nmetadata:\n  name: 1.5\n  annotations:\n    helm.sh/hook: true\n',
    },
  },
  { name: 'name-list', files: { 'templates/a.yaml': 'kind: Pod\nmetadata:\n  name: [a]\n' } },
  { name: 'kind-map', files: { 'templates/a.yaml': 'kind: {a: b}\n' } },
  {
    name: 'annotation-list',
    files: { 'templates/a.yaml': 'kind: Pod\nmetadata:\n  annotations:\n    a: [b]\n' },
  },
  { name: 'annotations-text', files: { 'templates/a.yaml': 'kind: Pod\nmetadata:\n  annotations: text\n' } },
  { name: 'metadata-text', files: { 'templates/a.yaml': 'kind: Pod\nmetadata: text\n' } },
  { name: 'list-document', files: { 'templates/a.yaml': '- kind: Pod\n' } },
  { name: 'text-document', files: { 'templates/a.yaml': 'just text\n' } },
  { name: 'bad-yaml', files: { 'templates/a.yaml': 'kind: Pod\n  metadata: x\n' } },
  { name: 'bad-tab', files: { 'templates/a.yaml': 'kind: Pod\n\tmetadata: x\n' } },
  { name: 'same-key', files: { 'templates/a.yaml': 'kind: Pod\nkind: Service\n' } },
  {
    name: 'other-case',
    files: {
      'templates/a.yaml': 'Kind: Pod\nKIND: Job\nMetadata: {Name: x}\n',
      'templates/b.yaml': object('Secret', 's'),
    },
  },
  { name: 'nothing-at-all', files: { 'templates/a.yaml': '{{ if false }}{{ end }}' } },
  { name: 'no-templates', files: { 'values.yaml': 'a: 1\n' } },
];
