import type { WireError } from '../../../contract/error.ts';
import { CopyButton } from './copy-button.tsx';
import { sentence } from './sentence.ts';

/** What went wrong, why, and what to do next; the check of a missing right can be copied. */
export function ErrorText({ error }: { readonly error: WireError }) {
  return (
    <>
      <h2>{sentence(error.what)}</h2>
      {error.why === undefined ? null : <p className="why">{sentence(error.why)}</p>}
      {error.next === undefined ? null : <p>{sentence(error.next)}</p>}
      {error.denied === undefined ? null : (
        <p>
          <code>{error.denied.check}</code>{' '}
          <CopyButton text={error.denied.check} label="Copy kubectl command" />
        </p>
      )}
    </>
  );
}
