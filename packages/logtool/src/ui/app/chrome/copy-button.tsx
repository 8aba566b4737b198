import { useState } from 'react';

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  readonly className?: string;
}

/** Copies a text and says so in its place. */
export function CopyButton({ text, label, className = 'text-button' }: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'failed' | undefined>();
  const copy = () => {
    copyText(text).then(
      () => setResult('copied'),
      () => setResult('failed'),
    );
  };
  return (
    <>
      <button
        type="button"
        className={className}
        title={text}
        onClick={copy}
        onBlur={() => setResult(undefined)}
      >
        {result === 'copied' ? 'Copied' : label}
      </button>
      {result === 'failed' ? <code className="copy-by-hand">{text}</code> : null}
      <span role="status" className="sr-only">
        {result === 'copied' ? 'Copied' : result === 'failed' ? 'Copying failed; the text is shown' : ''}
      </span>
    </>
  );
}

/** Rejects if the browser does not let the page write to the clipboard. */
export async function copyText(text: string): Promise<void> {
  // Absent on plain http that is not loopback.
  if (navigator.clipboard === undefined) throw new Error('no clipboard');
  await navigator.clipboard.writeText(text);
}
