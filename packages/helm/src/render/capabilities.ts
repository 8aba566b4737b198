import type { ResourceType } from '@logtool/kube/src/client.ts';
import { writeJson } from '../json/write-json.ts';
import { type GoFunction, type GoReceiver, goFunction } from '../template/function.ts';
import { goTypeOf, typed } from '../value/type.ts';
import type { GoObject, Value } from '../value/value.ts';

/** The content of `.Capabilities`: the cluster, and the renderer. */
export interface RenderCapabilities {
  readonly kubeVersion: {
    /** As the cluster reports it, e.g. `v1.35.0-eks-1`. */
    readonly version: string;
    readonly major: string;
    readonly minor: string;
  };
  /** E.g. `v1`, `apps/v1` and `apps/v1/Deployment`. */
  readonly apiVersions: readonly string[];
}

/** Builds the capabilities from the version that a cluster reports and the kinds that it serves. */
export function capabilitiesOf(version: string, types: readonly ResourceType[]): RenderCapabilities {
  const found = /^v?(\d+)\.(\d+)/.exec(version);
  const apiVersions = new Set<string>();
  for (const { group, version: served, kind } of types) {
    const groupVersion = group === '' ? served : `${group}/${served}`;
    apiVersions.add(groupVersion).add(`${groupVersion}/${kind}`);
  }
  return {
    kubeVersion: { version, major: found?.[1] ?? '', minor: found?.[2] ?? '' },
    apiVersions: [...apiVersions],
  };
}

/** The Helm version whose template behavior this package implements. */
const COMPATIBLE_HELM = {
  version: 'v4.1.4',
  gitCommit: '05fa37973dc9e42b76e1d2883494c87174b6074f',
  gitTreeState: 'clean',
  goVersion: 'go1.25.9',
  kubeClientVersion: 'v1.35',
};

const BUILD_INFO_JSON = {
  Version: 'version',
  GitCommit: 'git_commit',
  GitTreeState: 'git_tree_state',
  GoVersion: 'go_version',
  KubeClientVersion: 'kube_client_version',
};

/** How a Go struct prints if it has hidden fields or a String method on its pointer; its JSON tags. */
interface Texts {
  readonly struct?: string;
  readonly pointer?: string;
  readonly jsonNames?: Readonly<Record<string, string>>;
}

/** A Go struct: its fields by name. */
class GoStruct implements GoReceiver {
  readonly goType: string;
  readonly #fields: ReadonlyMap<string, Value>;
  readonly #methods: ReadonlyMap<string, GoFunction>;
  readonly #texts: Texts | undefined;

  constructor(
    goType: string,
    fields: readonly (readonly [string, Value])[],
    methods: readonly (readonly [string, GoFunction])[] = [],
    texts?: Texts,
  ) {
    this.goType = goType;
    this.#fields = new Map(fields);
    this.#methods = new Map(methods);
    this.#texts = texts;
  }

  field(name: string): Value | undefined {
    return this.#fields.get(name);
  }

  method(name: string): GoFunction | undefined {
    return this.#methods.get(name);
  }

  json(): string {
    const fields = [...this.#fields].map(
      ([name, value]) => `${writeJson(this.#texts?.jsonNames?.[name] ?? name)}:${writeJson(value)}`,
    );
    return `{${fields.join(',')}}`;
  }

  printed(): string {
    return this.#texts?.pointer ?? this.toString();
  }

  toString(): string {
    return this.#texts?.struct ?? `{${[...this.#fields.values()].map(String).join(' ')}}`;
  }
}

class GoVersionSet implements GoReceiver {
  readonly goType = 'common.VersionSet';
  readonly kind = 'slice';
  readonly #versions: readonly string[];

  constructor(versions: readonly string[]) {
    this.#versions = versions;
  }

  field(): undefined {
    return undefined;
  }

  method(name: string): GoFunction | undefined {
    if (name !== 'Has') return undefined;
    return goFunction(['string'], 'bool', (_call, version) => this.#versions.includes(version));
  }

  underlying(): Value {
    return typed<Value[]>([...this.#versions], '[]string');
  }

  toString(): string {
    return `[${this.#versions.join(' ')}]`;
  }
}

function getter(text: string): GoFunction {
  return goFunction([], goTypeOf(text), () => text);
}

/** Builds `.Capabilities` (https://helm.sh/docs/chart_template_guide/builtin_objects/). */
export function goCapabilities(capabilities: RenderCapabilities): GoObject {
  const { version, major, minor } = capabilities.kubeVersion;
  const withV = version.startsWith('v') ? version : `v${version}`;
  const normalized = /^v\d+(\.\d+)*/.exec(withV)?.[0] ?? withV;
  const helm = COMPATIBLE_HELM;
  return new GoStruct('*common.Capabilities', [
    [
      'KubeVersion',
      new GoStruct(
        'common.KubeVersion',
        [
          ['Version', withV],
          ['Major', major],
          ['Minor', minor],
        ],
        [
          ['String', getter(normalized)],
          ['GitVersion', getter(withV)],
        ],
        { struct: `{${withV} ${normalized} ${major} ${minor}}`, pointer: normalized },
      ),
    ],
    ['APIVersions', new GoVersionSet(capabilities.apiVersions)],
    [
      'HelmVersion',
      new GoStruct(
        'version.BuildInfo',
        [
          ['Version', helm.version],
          ['GitCommit', helm.gitCommit],
          ['GitTreeState', helm.gitTreeState],
          ['GoVersion', helm.goVersion],
          ['KubeClientVersion', helm.kubeClientVersion],
        ],
        [],
        { jsonNames: BUILD_INFO_JSON },
      ),
    ],
  ]);
}
