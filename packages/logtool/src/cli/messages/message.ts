import type { Message } from '../../messages/message.ts';

export type { Message, Messages } from '../../messages/message.ts';

/** The message of an error that another one has in its data. */
export type MessageOfFailure = (failure: Error) => Message;

/**
 * As `Messages`, of an area whose errors have others in their data. `clusterFlags`: the flags that lead a command to the
 * same cluster, as they were given (` --kube-context prod`).
 */
export type ComposedMessages<Codes> = {
  readonly [C in keyof Codes & string]: (
    data: Codes[C],
    messageOf: MessageOfFailure,
    clusterFlags: string,
  ) => Message;
};
