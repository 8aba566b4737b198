import { quoteArgument } from '@logtool/kube/src/values/quote-word.ts';
import { readvised } from '../messages/advice.ts';
import type { LogtoolError } from '../messages/logtool-error.ts';
import type { ConnectionPlan } from '../plan/connection-plan.ts';

/** Commands of logtool that work on a cluster, as errors advise them. */
const OWN = /\blogtool (?:logs|cluster (?:install|upgrade|uninstall|rollback|list|status|history))(?= )/g;

/**
 * Leads the commands that an error advises to the cluster and the user of the command that failed: logtool's own by the
 * flags that it was given, kubectl, which knows neither these nor the configuration file, by flags of its own.
 */
export function adviseKubectl(
  error: LogtoolError,
  { kubeconfig, context, flags: given }: Pick<ConnectionPlan, 'kubeconfig' | 'context' | 'flags'>,
): LogtoolError {
  const { next } = error;
  const args = [
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(context === undefined || next?.includes(' --context ') === true ? [] : ['--context', context]),
  ];
  if (next === undefined || (args.length === 0 && given === '')) return error;
  const flags = args.map(quoteArgument).join(' ');
  // A function, because a path may contain replacement patterns.
  const led = next
    .replace(/\bkubectl (?=[a-z])/g, (start) => (flags === '' ? start : `kubectl ${flags} `))
    // Some say it themselves.
    .replace(OWN, (start) => (next.includes(given) ? start : `${start}${given}`));
  return readvised(error, led);
}
