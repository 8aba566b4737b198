import { parseArgs } from 'node:util';

/** Options of `npm run test:cluster`. */
export interface RunOptions {
  readonly kubeconfig: string;
  /** An existing namespace; undefined: the run creates one and removes it. */
  readonly namespace: string | undefined;
  readonly image: string;
  readonly imagePullPolicy: string | undefined;
  readonly hostNetwork: boolean;
  readonly nodeSelector: Readonly<Record<string, string>> | undefined;
}

export const HELP = `Runs the conformance suite against a cluster: npm run test:cluster -- --kubeconfig FILE [flags]

It makes a namespace, works in it alone, and removes it: also when it fails or is interrupted.

  --kubeconfig FILE         The cluster, and as whom: the current context of the file
  --namespace NAME          Use this namespace, which is there, for want of the right to make one
  --image NAME              Image of all pods: anything with busybox's sh (default busybox:stable)
  --image-pull-policy NAME  Always, IfNotPresent or Never (default: what the cluster takes for the image)
  --host-network            Let the pods use the network of their node, where the cluster has none for pods
  --node-selector K=V,...   Let the pods run on nodes with these labels only
  --help                    Show this

Rights it needs: to create and delete namespaces (without --namespace), and those of the cluster role admin in the
namespace. Exit codes: 0 all passed, 1 not, 2 wrong usage, 130 interrupted.
`;

/** A mistake in the typed arguments. */
export class UsageError extends Error {}

const POLICIES = ['Always', 'IfNotPresent', 'Never'];
const NAMESPACE = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set */
const LABEL_KEY = /^([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;
const LABEL_VALUE = /^([A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/;

/** Parses the arguments; returns 'help' if requested. Throws UsageError. */
export function readOptions(args: readonly string[]): RunOptions | 'help' {
  const { kubeconfig, namespace, image, ...rest } = parse(args);
  if (rest.help === true) return 'help';
  if (kubeconfig === undefined || kubeconfig === '')
    throw new UsageError('--kubeconfig FILE says which cluster to test');
  if (namespace !== undefined && !NAMESPACE.test(namespace)) {
    throw new UsageError(`--namespace "${namespace}" is no name of a namespace`);
  }
  if (image !== undefined && !/^[^\s-]\S*$/.test(image))
    throw new UsageError(`--image "${image}" is no image`);
  const policy = rest['image-pull-policy'];
  if (policy !== undefined && !POLICIES.includes(policy)) {
    throw new UsageError(`--image-pull-policy is one of ${POLICIES.join(', ')}, not "${policy}"`);
  }
  const selector = rest['node-selector'];
  return {
    kubeconfig,
    namespace,
    image: image ?? 'busybox:stable',
    imagePullPolicy: policy,
    hostNetwork: rest['host-network'] === true,
    nodeSelector: selector === undefined ? undefined : readSelector(selector),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        kubeconfig: { type: 'string' },
        namespace: { type: 'string' },
        image: { type: 'string' },
        'image-pull-policy': { type: 'string' },
        'host-network': { type: 'boolean' },
        'node-selector': { type: 'string' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readSelector(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').map((pair) => {
    const at = pair.indexOf('=');
    const [key, value] = [pair.slice(0, at), pair.slice(at + 1)];
    if (at === -1 || !LABEL_KEY.test(key) || !LABEL_VALUE.test(value)) {
      throw new UsageError(`--node-selector takes KEY=VALUE,KEY=VALUE, and "${pair}" is none of these`);
    }
    return [key, value] as const;
  });
  return Object.fromEntries(pairs);
}
