import type { CaseTable } from '../case.ts';
import { combine } from '../combine.ts';

const VERSIONS = [
  '"1.2.3"',
  '"v1.2.3"',
  '"1.2"',
  '"1"',
  '"1.2.3-beta.1+build.5"',
  '"0.0.0"',
  '"01.2.3"',
  '"1.2.3+meta"',
  '.Values.version',
  '"18446744073709551615.0.0"',
];
const BROKEN = [
  '""',
  '"x"',
  '"1.2.3.4"',
  '"1.2.3-"',
  '"1.2.3-01"',
  '" 1.2.3"',
  '"-1.2.3"',
  '"18446744073709551616.0.0"',
  '"1.2.3-é"',
  '"vv1"',
];
const RANGES = [
  '"^1.2"',
  '"~1.2.0"',
  '">=1.0.0"',
  '"<2"',
  '"1.x"',
  '"*"',
  '"=1.2.3"',
  '">1.0.0 <1.5.0"',
  '">1.0.0, <1.5.0"',
  '"1.0 - 2.0"',
  '"^2 || ~1.2"',
  '">=1.2.3-0"',
  '"1.2.3"',
  '">= 1.19-0"',
  '"~>1.2"',
  '"^0"',
  '"x"',
  '">=1.2.3-beta"',
];
const NEW = ['4.1.4'] as const;

/** Versions and ranges of them. Helm 4 has a newer library, whose errors are worded otherwise. */
export const SPRIG_VERSIONS: CaseTable = [
  ...combine(
    '{{ semver V }} {{ (semver V).Major }}.{{ (semver V).Minor }}.{{ (semver V).Patch }} {{ (semver V).Prerelease }} {{ (semver V).Metadata }} {{ (semver V).Original }} {{ (semver V).String }}',
    { V: VERSIONS },
  ),
  ...combine(
    '{{ (semver V).IncMajor }} {{ (semver V).IncMinor }} {{ (semver V).IncPatch }} {{ (semver V).IncPatch.IncMajor.Minor }}',
    { V: VERSIONS.slice(0, 6) },
  ),
  ...combine('{{ semver V | toJson }} {{ semver V | quote }} {{ semver V | toYaml }}', {
    V: VERSIONS.slice(0, 6),
  }),
  ...combine(
    '{{ (semver A).Compare (semver B) }} {{ (semver A).LessThan (semver B) }} {{ (semver A).GreaterThan (semver B) }} {{ (semver A).Equal (semver B) }}',
    {
      A: ['"1.2.3"', '"1.2.3-a"', '"2.0.0"'],
      B: ['"1.2.3"', '"1.2.3-a.1"', '"1.10.0"', '"1.2.3+m"'],
    },
  ),
  '{{ (semver "1.2.3").LessThanEqual (semver "1.2.3") }}{{ (semver "1.2.3").GreaterThanEqual (semver "1.2.4") }}',
  '{{ (semver "1.2.3").SetPrerelease "rc.1" }}|{{ (semver "v1.2.3").SetMetadata "m" }}',
  '{{ ((semver "1.2.3").SetPrerelease "rc.1").SetMetadata "b" }}',
  ...[
    '{{ (semver "1.2.3").SetPrerelease "é" }}',
    '{{ (semver "1.2.3").SetPrerelease "01" }}',
    '{{ (semver "1.2.3").SetMetadata "é" }}',
  ].map((template) => ({ template, only: NEW })),
  '{{ (semver "1.2.3").Nope }}',
  '{{ (semver "1.2.3").IncPatch.Original }}',
  '{{ (semver "1.2.3").IncPatch.LessThan (semver "2.0.0") }}',
  '{{ (semver "1.2.3").Compare "1.2.3" }}',
  '{{ (semver "1.2.3").Compare }}',
  '{{ typeOf (semver "1.2.3") }} {{ kindOf (semver "1.2.3") }} {{ typeOf (semver "1.2.3").IncMajor }} {{ kindOf (semver "1.2.3").IncMajor }} {{ typeOf (semver "1.2.3").Major }}',
  '{{ if semver "0.0.0" }}yes{{ end }} {{ empty (semver "0.0.0") }}',
  '{{ with semver "1.2.3" }}{{ .Major }}{{ end }} {{ printf "%s %v %d" (semver "1.2.3") (semver "1.2.3") (semver "1.2.3").Minor }}',
  ...combine('{{ semver V }}', { V: BROKEN }).map((template) => ({ template, only: NEW })),
  ...combine('{{ semverCompare "^1" V }}', { V: BROKEN }).map((template) => ({ template, only: NEW })),
  ...combine('{{ semverCompare R V }}', {
    R: RANGES,
    V: ['"1.2.3"', '"v1.3.0"', '"2.0.0"', '"1.2.3-beta.1"', '"0.9.0"', '"v1.27.3-gke.100"'],
  }),
  ...combine('{{ semverCompare R "1.2.3" }}', {
    R: [
      '""',
      '">"',
      '"foo"',
      '"1.2.3.4"',
      '">=1.2.3 foo"',
      '"||"',
      '"^"',
      '"1 2"',
      '"=>1"',
      '"=<1"',
      '"===1"',
      '"^v1.2"',
      '">1.2.x"',
      '"~"',
      '"1.2.3 - "',
      '","',
    ],
  }).map((template) => ({ template, only: NEW })),
  ...combine('{{ F X }}', {
    F: ['semver', 'semverCompare "1"'],
    X: ['1', 'nil', '.Values.int', '.Values.absent'],
  }),
  '{{ semverCompare ">=1.20-0" .Capabilities.KubeVersion.Version }}',
  ...combine('{{ semverCompare "!=1.2.3" V }}', { V: ['"1.2.3"', '"v1.3.0"'] }),
  // Only the newer library keeps pre-releases out of a range that excludes one version.
  ...combine('{{ semverCompare "!=1.2.3" V }}', { V: ['"1.2.3-beta.1"', '"v1.27.3-gke.100"'] }).map(
    (template) => ({
      template,
      only: NEW,
    }),
  ),
  '{{ semverCompare "^1" }}',
];
