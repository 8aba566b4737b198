interface SayProps {
  readonly title: string;
  readonly text?: string | undefined;
  readonly children?: React.ReactNode;
}

/** What is said in place of lines. */
export function Say({ title, text, children }: SayProps) {
  return (
    <div className="empty-log" data-empty>
      <h2>{title}</h2>
      {text === undefined ? null : <p>{text}</p>}
      {children}
    </div>
  );
}
