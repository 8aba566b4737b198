/** Powers of ten and of two for the suffixes of quantities (k8s.io/apimachinery/pkg/api/resource). */
const SUFFIXES: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** Returns the number for a quantity such as `500m`, `1.5Gi` or `2e3`; 0 for an invalid one. */
export function quantityOf(text: string | number | undefined): number {
  const match = /^([+-]?\d*\.?\d+(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(String(text ?? '0'));
  const factor = SUFFIXES[match?.[2] ?? ''];
  return factor === undefined ? 0 : Number(match?.[1] ?? 0) * factor;
}

/** Formats a quantity as Kubernetes does: `500m`, `2`, `512Mi`. */
export function quantityText(value: number): string {
  const milli = Math.round(value * 1000);
  if (milli % 1000 !== 0) return `${milli}m`;
  const whole = milli / 1000;
  const suffix =
    whole === 0 ? undefined : ['Gi', 'Mi', 'Ki'].find((one) => whole % quantityOf(`1${one}`) === 0);
  return suffix === undefined ? String(whole) : `${whole / quantityOf(`1${suffix}`)}${suffix}`;
}

/** What one pod requests of a node. */
export interface Requests {
  /** Thousandths of a core. */
  readonly cpu: number;
  /** Bytes. */
  readonly memory: number;
}

interface Resources {
  readonly resources?: {
    readonly requests?: Readonly<Record<string, string>>;
    readonly limits?: Readonly<Record<string, string>>;
  };
}

/**
 * Returns a container's request for a resource, or its limit if only that is set (the API server fills it in the same
 * way).
 */
export function requestOf({ resources }: Resources, resource: string): number {
  return quantityOf(resources?.requests?.[resource] ?? resources?.limits?.[resource]);
}

/**
 * Returns the total requests of a pod: its containers run together, its init containers before them one after another.
 */
export function requestsOf(spec: {
  readonly containers: readonly Resources[];
  readonly initContainers?: readonly Resources[];
}): Requests {
  const of = (resource: string) => {
    const together = spec.containers.reduce((sum, container) => sum + requestOf(container, resource), 0);
    return Math.max(together, ...(spec.initContainers ?? []).map((one) => requestOf(one, resource)));
  };
  return { cpu: Math.ceil(of('cpu') * 1000), memory: Math.ceil(of('memory')) };
}
