import type { Message } from '../../messages/message.ts';

export type { Message, Messages } from '../../messages/message.ts';

/** Returns the message of an error in another error's data. */
export type MessageOfFailure = (failure: Error) => Message;

/**
 * Like `Messages`, for an area whose errors contain other errors. `clusterFlags`: the flags, as typed, that
 * make a command reach the same cluster (` --kube-context prod`).
 */
export type ComposedMessages<Codes> = {
  readonly [C in keyof Codes & string]: (
    data: Codes[C],
    messageOf: MessageOfFailure,
    clusterFlags: string,
  ) => Message;
};
