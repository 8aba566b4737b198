import { CopyButton } from '../../app/chrome/copy-button.tsx';
import { sentence } from '../../app/chrome/sentence.ts';
import type { Problem } from '../../worker/session/protocol.ts';

/** So many are told in full; the others are counted, and open on a click. */
const IN_FULL = 2;

interface ProblemsProps {
  readonly problems: readonly Problem[];
  /** Asks the cluster again now. */
  readonly onRetry: () => void;
}

/** Sources that cannot be read, and what it would take; all others go on meanwhile. */
export function Problems({ problems, onRetry }: ProblemsProps) {
  if (problems.length === 0) return null;
  const others = problems.slice(IN_FULL);
  return (
    <section className="problems" aria-label="Problems">
      {problems.slice(0, IN_FULL).map((problem) => (
        <OneProblem key={problem.key} problem={problem} onRetry={onRetry} />
      ))}
      {others.length === 0 ? null : (
        <details>
          <summary>and {others.length.toLocaleString('en')} more</summary>
          {others.map((problem) => (
            <OneProblem key={problem.key} problem={problem} onRetry={onRetry} />
          ))}
        </details>
      )}
    </section>
  );
}

interface OneProblemProps {
  readonly problem: Problem;
  readonly onRetry: () => void;
}

function OneProblem({ problem: { error, isOutage, others }, onRetry }: OneProblemProps) {
  const { what, why, next, denied } = error;
  if (isOutage === true) {
    return (
      <div className="problem" data-problem={error.code} data-outage>
        <p className="warn-text">
          {sentence(what)}: lines come again when it answers.{' '}
          <span className="problem-why">{why === undefined ? null : `${sentence(why)}. `}</span>
          <button type="button" className="text-button" onClick={onRetry}>
            Retry now
          </button>
        </p>
      </div>
    );
  }
  // Below the first line an argument stands with a mark under its wrong character.
  const [because = '', ...drawn] = (why ?? '').split('\n');
  return (
    <div className="problem" data-problem={error.code}>
      <p>
        {/* What the cluster said of a right is the same once more, at length. */}
        <span className="problem-what" title={denied === undefined ? undefined : why}>
          {sentence(what)}
          {others === undefined ? null : `, nor ${others === 1 ? 'one other' : `${others} others`} there`}
        </span>
        {because === '' || denied !== undefined ? null : (
          <span className="problem-why">{sentence(because)}</span>
        )}
      </p>
      {drawn.length === 0 ? null : <pre className="problem-drawn">{drawn.join('\n')}</pre>}
      {denied === undefined ? (
        next === undefined ? null : (
          <p className="problem-why">{sentence(next)}</p>
        )
      ) : (
        <p>
          Missing: <b>{denied.verb}</b> on <b>{denied.resource}</b>
          {denied.namespace === undefined ? ' in the cluster' : ' in namespace '}
          <b>{denied.namespace}</b>
          {' · '}
          <code>{denied.check}</code> <CopyButton text={denied.check} label="Copy kubectl command" />
        </p>
      )}
    </div>
  );
}
