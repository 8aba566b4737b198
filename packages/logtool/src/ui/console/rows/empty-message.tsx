interface EmptyMessageProps {
  readonly title: string;
  readonly text?: string | undefined;
  readonly children?: React.ReactNode;
}

/** Shown in place of lines. */
export function EmptyMessage({ title, text, children }: EmptyMessageProps) {
  return (
    <div className="empty-log" data-empty>
      <h2>{title}</h2>
      {text === undefined ? null : <p>{text}</p>}
      {children}
    </div>
  );
}
