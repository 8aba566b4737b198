import { helmFailure } from '@logtool/helm/src/failures.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { expect, test } from 'vitest';
import { helmMessageOf } from '../helm.ts';
import type { Message } from '../message.ts';

test.each<[CodedError, Message]>([
  [
    helmFailure('chart-limit', { limit: 'time', step: 'render-chart', limitMs: 61000 }),
    {
      what: 'the chart takes too long: logtool stopped rendering it',
      why: 'it took more than 61 s, far more than any ordinary chart needs',
      next: 'check where the chart comes from; if you trust it, try other values, or report this to its author',
    },
  ],
  [
    helmFailure('chart-limit', { limit: 'memory', step: 'render-templates', limitMiB: 64 }),
    {
      what: 'the chart needs too much memory: logtool stopped rendering the templates',
      why: 'it took more than 64 MiB, far more than any ordinary chart needs',
      next: 'check where the chart comes from; if you trust it, try other values, or report this to its author',
    },
  ],
  [
    helmFailure('chart-not-installable', { problem: 'type', type: 'library', name: 'chart' }),
    {
      what: 'logtool cannot install the chart',
      why: 'library charts are not installable',
      next: 'install a chart that uses chart',
    },
  ],
  [
    helmFailure('chart-not-installable', { problem: 'api-version', apiVersion: 'v3', known: ['v1', 'v2'] }),
    {
      what: 'logtool cannot install the chart',
      why: 'unsupported chart version: its apiVersion is "v3"',
      next: 'choose a chart whose apiVersion is v1 or v2',
    },
  ],
  [
    helmFailure('chart-not-installable', { problem: 'api-version', apiVersion: 'V2', known: ['v1', 'v2'] }),
    {
      what: 'logtool cannot install the chart',
      why: 'unsupported chart version: its apiVersion is "V2"',
      next: 'choose a chart whose apiVersion is v1 or v2',
    },
  ],
  [
    helmFailure('chart-not-installable', { problem: 'api-version', apiVersion: '2', known: ['v1', 'v2'] }),
    {
      what: 'logtool cannot install the chart',
      why: 'unsupported chart version: its apiVersion is "2"',
      next: 'choose a chart whose apiVersion is v1 or v2',
    },
  ],
  [
    helmFailure('chart-not-installable', { problem: 'dependencies', missing: ['a', 'c'] }),
    {
      what: 'logtool cannot install the chart',
      why: 'found in Chart.yaml, but missing in charts/ directory: a, c',
      next: 'put these charts into charts/, or package the chart together with them',
    },
  ],
  [
    helmFailure('chart-not-installable', {
      problem: 'kube-version',
      wanted: '~1.34',
      kubeVersion: 'v1.35.0',
    }),
    {
      what: 'logtool cannot install the chart',
      why: 'chart requires kubeVersion: ~1.34 which is incompatible with Kubernetes v1.35.0',
      next: 'choose a version of the chart that is made for this cluster',
    },
  ],
  [
    helmFailure('chart-not-installable', {
      problem: 'kube-version',
      wanted: '>=1.0',
      kubeVersion: 'not a version',
    }),
    {
      what: 'logtool cannot install the chart',
      why: 'chart requires kubeVersion: >=1.0 which is incompatible with Kubernetes not a version',
      next: 'choose a version of the chart that is made for this cluster',
    },
  ],
  [
    helmFailure('invalid-chart', {
      where: [],
      problem: 'refused',
      why: 'chart illegally contains absolute paths',
    }),
    {
      what: 'logtool cannot read the chart',
      why: 'chart illegally contains absolute paths',
      next: 'check the chart, or ask its author for a valid one',
    },
  ],
  [
    helmFailure('invalid-chart', {
      where: [],
      problem: 'refused',
      why: 'chart illegally contains content outside the base directory: "Chart.yaml"',
    }),
    {
      what: 'logtool cannot read the chart',
      why: 'chart illegally contains content outside the base directory: "Chart.yaml"',
      next: 'check the chart, or ask its author for a valid one',
    },
  ],
  [
    helmFailure('invalid-chart', {
      where: [],
      problem: 'refused',
      why: 'chart illegally contains content outside the base directory: "x"',
    }),
    {
      what: 'logtool cannot read the chart',
      why: 'chart illegally contains content outside the base directory: "x"',
      next: 'check the chart, or ask its author for a valid one',
    },
  ],
  [
    helmFailure('invalid-chart', {
      where: [],
      problem: 'refused',
      why: 'chart illegally contains content outside the base directory: "chart/."',
    }),
    {
      what: 'logtool cannot read the chart',
      why: 'chart illegally contains content outside the base directory: "chart/."',
      next: 'check the chart, or ask its author for a valid one',
    },
  ],
  [
    helmFailure('invalid-chart', { where: [], problem: 'link', path: 'chart/templates/x' }),
    {
      what: 'logtool cannot read the chart',
      why: 'chart contains a link, which Helm does not allow: "chart/templates/x"',
      next: 'check the chart, or ask its author for a valid one',
    },
  ],
  [
    helmFailure('invalid-chart', { where: [], problem: 'no-file', path: 'chart/templates/x' }),
    {
      what: 'logtool cannot read the chart',
      why: 'chart contains something other than a regular file: "chart/templates/x"',
      next: 'check the chart, or ask its author for a valid one',
    },
  ],
  [
    helmFailure('invalid-chart', { where: [], problem: 'sparse-file' }),
    {
      what: 'logtool cannot read the chart',
      why: 'chart contains a sparse file, which logtool does not read',
      next: 'check the chart, or ask its author for a valid one',
    },
  ],
  [
    helmFailure('invalid-chart', {
      where: ['error unpacking subchart b in chart'],
      problem: 'values',
      max: 1048576,
    }),
    {
      what: 'logtool cannot read the chart',
      why: 'error unpacking subchart b in chart: chart has more than 1048576 values',
      next: 'check the chart, or ask its author for a valid one',
    },
  ],
  [
    helmFailure('invalid-chart', {
      where: [],
      problem: 'refused',
      why: 'decompressed chart file "chart/big" is larger than the maximum file size 5242880',
    }),
    {
      what: 'logtool cannot read the chart',
      why: 'decompressed chart file "chart/big" is larger than the maximum file size 5242880',
      next: 'check the chart, or ask its author for a valid one',
    },
  ],
  [
    helmFailure('invalid-value-flag', { given: 'typed', text: 'a=b,c', why: 'key "c" has no value' }),
    {
      what: 'cannot read --set a=b,c',
      why: 'key "c" has no value',
      next: 'write key=value, with a backslash before a comma or dot that belongs to the name or value',
    },
  ],
  [
    helmFailure('invalid-value-flag', {
      given: 'typed',
      text: 'a[0][0]=1',
      why: { problem: 'indexes', max: 100 },
    }),
    {
      what: 'cannot read --set a[0][0]=1',
      why: 'one key has more than 100 indexes in a row',
      next: 'write key=value, with a backslash before a comma or dot that belongs to the name or value',
    },
  ],
  [
    helmFailure('template-failed', {
      isAsked: false,
      why: 'template: demo/templates/a.yaml:1:6: executing "demo/templates/a.yaml" at <lookup "v1" "Secret" "ns" "x">: error calling lookup: secrets is forbidden',
    }),
    {
      what: 'a template of the chart failed',
      why: 'template: demo/templates/a.yaml:1:6: executing "demo/templates/a.yaml" at <lookup "v1" "Secret" "ns" "x">: error calling lookup: secrets is forbidden',
      next: 'check the values that the template uses, or report it to the author of the chart',
    },
  ],
  [
    helmFailure('template-failed', {
      isAsked: false,
      why: 'template: demo/templates/a.yaml:1:47: executing "demo/templates/a.yaml" at <include "r" .>: error calling include: template: demo/templates/a.yaml:1:19: executing "r" at <include "r" .>: error calling include: rendering template has a nested reference name: r: unable to execute template',
    }),
    {
      what: 'a template of the chart failed',
      why: 'template: demo/templates/a.yaml:1:47: executing "demo/templates/a.yaml" at <include "r" .>: error calling include: template: demo/templates/a.yaml:1:19: executing "r" at <include "r" .>: error calling include: rendering template has a nested reference name: r: unable to execute template',
      next: 'check the values that the template uses, or report it to the author of the chart',
    },
  ],
  [
    helmFailure('template-failed', {
      isAsked: false,
      why: 'demo/templates/a.yaml:1:28\n  executing "r" at <{{template "r" .}}>:\n    exceeded maximum template depth (100000)',
    }),
    {
      what: 'a template of the chart failed',
      why: 'demo/templates/a.yaml:1:28\n  executing "r" at <{{template "r" .}}>:\n    exceeded maximum template depth (100000)',
      next: 'check the values that the template uses, or report it to the author of the chart',
    },
  ],
  [
    helmFailure('template-failed', {
      isAsked: false,
      why: 'template: demo/templates/a.yaml:1:63: executing "demo/templates/a.yaml" at <include "r" .>: error calling include: template: demo/templates/a.yaml:1:19: executing "r" at <tpl "{{ include \\"r\\" . }}" .>: error calling tpl: error during tpl function execution for "{{ include \\"r\\" . }}": template: gotpl:1:3: executing "gotpl" at <include "r" .>: error calling include: rendering template has a nested reference name: r: unable to execute template',
    }),
    {
      what: 'a template of the chart failed',
      why: 'template: demo/templates/a.yaml:1:63: executing "demo/templates/a.yaml" at <include "r" .>: error calling include: template: demo/templates/a.yaml:1:19: executing "r" at <tpl "{{ include \\"r\\" . }}" .>: error calling tpl: error during tpl function execution for "{{ include \\"r\\" . }}": template: gotpl:1:3: executing "gotpl" at <include "r" .>: error calling include: rendering template has a nested reference name: r: unable to execute template',
      next: 'check the values that the template uses, or report it to the author of the chart',
    },
  ],
  [
    helmFailure('template-failed', {
      isAsked: false,
      why: 'parse error at (demo/templates/a.yaml:1): max expression depth exceeded',
    }),
    {
      what: 'a template of the chart failed',
      why: 'parse error at (demo/templates/a.yaml:1): max expression depth exceeded',
      next: 'check the values that the template uses, or report it to the author of the chart',
    },
  ],
  [
    helmFailure('template-failed', {
      isAsked: false,
      why: 'demo/templates/a.yaml:1:13\n  executing "demo/templates/a.yaml" at <.Values.a.b.c>:\n    nil pointer evaluating interface {}.b',
    }),
    {
      what: 'a template of the chart failed',
      why: 'demo/templates/a.yaml:1:13\n  executing "demo/templates/a.yaml" at <.Values.a.b.c>:\n    nil pointer evaluating interface {}.b',
      next: 'check the values that the template uses, or report it to the author of the chart',
    },
  ],
  [
    helmFailure('template-failed', {
      isAsked: true,
      why: 'execution error at (demo/templates/a.yaml:1:6): name it',
    }),
    {
      what: 'the chart refuses these values',
      why: 'execution error at (demo/templates/a.yaml:1:6): name it',
      next: 'set what the message asks for with --set or -f',
    },
  ],
  [
    helmFailure('template-failed', {
      isAsked: false,
      why: 'template: tiny/templates/a.yaml:1:3: executing "tiny/templates/a.yaml" at <lookup "v1" "Nothing" "" "">: error calling lookup: no such kind',
    }),
    {
      what: 'a template of the chart failed',
      why: 'template: tiny/templates/a.yaml:1:3: executing "tiny/templates/a.yaml" at <lookup "v1" "Nothing" "" "">: error calling lookup: no such kind',
      next: 'check the values that the template uses, or report it to the author of the chart',
    },
  ],
  [
    helmFailure('template-limit', { of: 'lookups', max: 500 }),
    {
      what: 'the templates make more than 500 lookups in the cluster',
      why: 'each lookup is a request to the cluster',
      next: 'render the chart with other values, or ask its author',
    },
  ],
  [
    helmFailure('template-limit', { of: 'time' }),
    {
      what: 'rendering the chart takes too long',
      why: 'a template of the chart loops, or its output keeps growing',
      next: 'render the chart with other values, or ask its author',
    },
  ],
  [
    helmFailure('template-limit', { of: 'output', max: 500000 }),
    {
      what: 'the templates produce more than 500000 characters',
      why: 'a template of the chart loops, or its output keeps growing',
      next: 'render the chart with other values, or ask its author',
    },
  ],
  [
    helmFailure('template-limit', { of: 'nodes', max: 2097152 }),
    {
      what: 'a template handles a value of more than 2097152 parts',
      why: 'a template of the chart loops, or its output keeps growing',
      next: 'render the chart with other values, or ask its author',
    },
  ],
  [
    helmFailure('template-limit', { of: 'tpl-depth', max: 3000 }),
    {
      what: 'templates nest more than 3000 calls of tpl',
      why: 'a template of the chart loops, or its output keeps growing',
      next: 'render the chart with other values, or ask its author',
    },
  ],
  [
    helmFailure('template-limit', { of: 'tpl-text', max: 8388608 }),
    {
      what: 'the templates pass more than 8388608 characters to tpl at once',
      why: 'a template of the chart loops, or its output keeps growing',
      next: 'render the chart with other values, or ask its author',
    },
  ],
  [
    helmFailure('template-limit', { of: 'manifest-values', max: 20 }),
    {
      what: 'the manifest has more than 20 values',
      why: 'a template of the chart loops, or its output keeps growing',
      next: 'render the chart with other values, or ask its author',
    },
  ],
  [
    helmFailure('template-limit', { of: 'hook-values', max: 100 }),
    {
      what: 'the hooks have more than 100 values',
      why: 'a template of the chart loops, or its output keeps growing',
      next: 'render the chart with other values, or ask its author',
    },
  ],
  [
    helmFailure('template-limit', { of: 'hook-text', maxMiB: 1 }),
    {
      what: 'the hooks have more than 1 MiB of text',
      why: 'a template of the chart loops, or its output keeps growing',
      next: 'render the chart with other values, or ask its author',
    },
  ],
  [
    helmFailure('values-file-invalid', {
      path: 'list.yaml',
      why: 'cannot unmarshal yaml document: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
    }),
    {
      what: 'list.yaml is not a values file',
      why: 'cannot unmarshal yaml document: error unmarshaling JSON: while decoding JSON: json: cannot unmarshal array into Go value of type map[string]interface {}',
      next: 'check its indentation, and that its top level is a mapping',
    },
  ],
  [
    helmFailure('values-file-unreadable', {
      path: '/no/such.yaml',
      why: "ENOENT: no such file or directory, open '/no/such.yaml'",
    }),
    {
      what: 'cannot read /no/such.yaml',
      why: "ENOENT: no such file or directory, open '/no/such.yaml'",
      next: 'check the path and its permissions',
    },
  ],
  [
    helmFailure('values-do-not-fit', { of: 'sub-chart', name: 'db', why: 'expected a table' }),
    {
      what: 'the values of sub-chart db must be a mapping',
      why: 'expected a table',
      next: 'set a mapping under db, or nothing',
    },
  ],
  [
    helmFailure('values-do-not-fit', {
      of: 'schema',
      issues: [
        { chart: 'web', problem: { of: 'values', lines: ["- at '/a': got string, want integer"], more: 0 } },
      ],
    }),
    {
      what: "the values don't meet the specifications of the schema(s) in the following chart(s)",
      why: "web:\n- at '/a': got string, want integer",
      next: 'change these values with --set or a values file; values.schema.json in the chart says what it accepts',
    },
  ],
  [
    helmFailure('values-do-not-fit', {
      of: 'schema',
      issues: [
        { chart: 'web', problem: { of: 'values', lines: ["- at '': missing property 'b'"], more: 3 } },
      ],
    }),
    {
      what: "the values don't meet the specifications of the schema(s) in the following chart(s)",
      why: "web:\n- at '': missing property 'b'\n- and 3 more",
      next: 'change these values with --set or a values file; values.schema.json in the chart says what it accepts',
    },
  ],
  [
    helmFailure('values-do-not-fit', {
      of: 'schema',
      issues: [{ chart: 'web', problem: { of: 'schema-type' } }],
    }),
    {
      what: "the values don't meet the specifications of the schema(s) in the following chart(s)",
      why: 'web:\nvalues.schema.json is neither an object nor a boolean',
      next: 'change these values with --set or a values file; values.schema.json in the chart says what it accepts',
    },
  ],
  [
    helmFailure('values-do-not-fit', {
      of: 'schema',
      issues: [{ chart: 'web', problem: { of: 'draft', draft: '"https://example.com/own"' } }],
    }),
    {
      what: "the values don't meet the specifications of the schema(s) in the following chart(s)",
      why: 'web:\nvalues.schema.json: logtool does not know its $schema "https://example.com/own"',
      next: 'change these values with --set or a values file; values.schema.json in the chart says what it accepts',
    },
  ],
  [
    helmFailure('values-do-not-fit', {
      of: 'schema',
      issues: [{ chart: 'web', problem: { of: 'reference', reference: 'https://example.com/s.json' } }],
    }),
    {
      what: "the values don't meet the specifications of the schema(s) in the following chart(s)",
      why: 'web:\nvalues.schema.json refers to https://example.com/s.json, which it does not contain; logtool never fetches a schema',
      next: 'change these values with --set or a values file; values.schema.json in the chart says what it accepts',
    },
  ],
  [
    helmFailure('values-do-not-fit', {
      of: 'schema',
      issues: [{ chart: 'web', problem: { of: 'endless' } }],
    }),
    {
      what: "the values don't meet the specifications of the schema(s) in the following chart(s)",
      why: 'web:\nvalues.schema.json is nested too deeply, or refers to itself',
      next: 'change these values with --set or a values file; values.schema.json in the chart says what it accepts',
    },
  ],
  [
    helmFailure('values-do-not-fit', {
      of: 'schema',
      issues: [{ chart: 'web', problem: { of: 'invalid', why: 'unexpected end of JSON input' } }],
    }),
    {
      what: "the values don't meet the specifications of the schema(s) in the following chart(s)",
      why: 'web:\nvalues.schema.json: unexpected end of JSON input',
      next: 'change these values with --set or a values file; values.schema.json in the chart says what it accepts',
    },
  ],
  [
    helmFailure('template-limit', { of: 'nested-value' }),
    {
      what: 'the templates handle a value that is nested too deeply',
      why: 'a template of the chart loops, or its output keeps growing',
      next: 'render the chart with other values, or ask its author',
    },
  ],
  [
    helmFailure('template-limit', { of: 'nested-template' }),
    {
      what: 'a template is nested too deeply',
      why: 'a template of the chart loops, or its output keeps growing',
      next: 'render the chart with other values, or ask its author',
    },
  ],
])('$code and its data make a message: %#', (failure, message) => {
  expect(helmMessageOf(failure)).toEqual(message);
});
