import type { z } from 'zod';
import { durationMs } from '../../scenario/duration.ts';
import type { registry } from '../../scenario/registry-schema.ts';

export type ScenarioRegistry = z.infer<typeof registry>;

/** The registries from which nodes pull images. Every node already has the images that no rule covers. */
export interface Registries {
  /** Whether a rule covers the image, so that no node has it and it must be pulled. */
  covers(image: string): boolean;
  /** Returns how long a pull of the image takes, in ms. */
  pullMs(image: string): number;
  /** Pulls once for a node. Returns the runtime's error on failure, undefined if the node now has the image. */
  pull(image: string): string | undefined;
}

export function createRegistries(scenario: readonly ScenarioRegistry[]): Registries {
  const rules = scenario.map((rule) => ({ ...rule, pattern: patternOf(rule.image), failed: 0 }));
  const ruleOf = (image: string) => rules.find(({ pattern }) => pattern.test(image));
  return {
    covers: (image) => ruleOf(image) !== undefined,
    pullMs: (image) => durationMs(ruleOf(image)?.takes ?? '0s'),
    pull(image) {
      const rule = ruleOf(image);
      if (rule?.answers === undefined || rule.failed >= (rule.times ?? Number.POSITIVE_INFINITY))
        return undefined;
      rule.failed++;
      return pullError(image, rule.answers);
    },
  };
}

function patternOf(glob: string): RegExp {
  const literals = glob.split('*').map((literal) => literal.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literals.join('.*')}$`);
}

/** Returns containerd's error for a failed pull, by the registry's response. */
export function pullError(image: string, answers: NonNullable<ScenarioRegistry['answers']>): string {
  const [name = '', tag = 'latest'] = image.split(/:(?=[^/]*$)/);
  const slash = name.indexOf('/');
  const host = slash === -1 ? 'registry-1.docker.io' : name.slice(0, slash);
  const path = slash === -1 ? `library/${name}` : name.slice(slash + 1);
  const unpack = `failed to pull and unpack image "${image}": failed to resolve reference "${image}": `;
  const head = `Head "https://${host}/v2/${path}/manifests/${tag}": `;
  switch (answers) {
    case 'no-such-host':
      return `${unpack}failed to do request: Head "https://${host}/v2/": dial tcp: lookup ${host}: no such host`;
    case 'refused':
      return `${unpack}failed to do request: ${head}dial tcp 192.0.2.9:443: connect: connection refused`;
    case 'busy':
      return `${unpack}unexpected status from HEAD request to https://${host}/v2/${path}/manifests/${tag}: 429 Too Many Requests`;
    case 'no-repository':
      return `${unpack}pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed`;
    case 'denied':
      return `${unpack}failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://${host}/token?scope=repository%3A${encodeURIComponent(path)}%3Apull&service=${host}: 403 Forbidden`;
    case 'not-found':
      return `rpc error: code = NotFound desc = ${unpack}${image}: not found`;
  }
}
