import type { Coded } from '@logtool/kube/src/values/coded-error.ts';
import type { ResolveFailures } from '../../domain/source-event.ts';
import type { Message, Messages } from './message.ts';

/** `messageOf`: the message of a failure inside another one. */
export function resolveMessages(messageOf: (failure: Coded) => Message): Messages<ResolveFailures> {
  return {
    'nodes-forbidden': ({ fields, refusal }) => {
      const { what, why, next } = messageOf(refusal);
      return {
        what: `${fields.map((field) => `--${field}`).join(', ')} cannot be applied: ${what}`,
        why,
        next: `${next}; --node works without that right`,
      };
    },
  };
}
