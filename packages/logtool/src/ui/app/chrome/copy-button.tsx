import { useState } from 'react';

const RESULTS = {
  copied: 'Copied',
  failed: 'Copying failed; copy the text beside the button',
} as const;

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  readonly className?: string;
}

/** Copies a text, then shows the result in place of the label. */
export function CopyButton({ text, label, className = 'text-button' }: CopyButtonProps) {
  const [result, setResult] = useState<keyof typeof RESULTS | undefined>();
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
        {result === undefined ? '' : RESULTS[result]}
      </span>
    </>
  );
}

/** Rejects if the browser does not allow the page to write to the clipboard. */
export async function copyText(text: string): Promise<void> {
  // The clipboard API is missing on plain HTTP outside loopback.
  if (navigator.clipboard === undefined) throw new Error('no clipboard');
  await navigator.clipboard.writeText(text);
}
