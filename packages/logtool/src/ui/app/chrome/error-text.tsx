import type { WireError } from '../../../contract/error.ts';
import { messageOf } from '../../messages/message-of.ts';
import { sentence } from '../../messages/sentence.ts';
import { CopyButton } from './copy-button.tsx';

/** What went wrong, why, and what to do next; the check of a missing right can be copied. */
export function ErrorText({ error }: { readonly error: WireError }) {
  const { what, why, next } = messageOf(error);
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
