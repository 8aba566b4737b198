import type { WireError } from '../../../contract/error.ts';
import type { Message } from '../../messages/message.ts';
import { messageOf } from '../../messages/message-of.ts';
import { sentence } from '../../messages/sentence.ts';
import { CopyButton } from './copy-button.tsx';

/** Shows what went wrong, why, and what to do next; users can copy the check for a missing permission. */
export function ErrorText({
  error,
  message = messageOf(error),
}: {
  readonly error: WireError;
  readonly message?: Message;
}) {
  const { what, why, next } = message;
  return (
    <>
      <h2>{sentence(what)}</h2>
      {why === undefined ? null : <p className="why">{sentence(why)}</p>}
      {next === undefined ? null : <p>{sentence(next)}</p>}
      {error.denied === undefined ? null : (
        <p>
          <code>{error.denied.check}</code>{' '}
          <CopyButton text={error.denied.check} label="Copy kubectl command" />
        </p>
      )}
    </>
  );
}
