import type { WireError } from '../../../../contract/error.ts';
import { CopyButton } from '../../../app/chrome/copy-button.tsx';
import { logMessageOf } from '../../../messages/log-message-of.ts';
import { sentence } from '../../../messages/sentence.ts';
import type { Problem } from '../../../worker/protocol/protocol.ts';
import './problems.css';

/** How many problems are shown in full; the others are counted, and a click opens them. */
const IN_FULL = 2;

interface ProblemsProps {
  readonly problems: readonly Problem[];
  /** Requests the cluster's data again now. */
  readonly onRetry: () => void;
}

/** Sources that cannot be read, and what to do; all others continue meanwhile. */
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

function OneProblem({ problem, onRetry }: OneProblemProps) {
  const { error, isOutage } = problem;
  if (isOutage === true) return <Outage error={error} onRetry={onRetry} />;
  return (
    <div className="problem" data-problem={error.code}>
      {error.denied === undefined ? (
        <Failure problem={problem} />
      ) : (
        <Denied problem={problem} denied={error.denied} />
      )}
    </div>
  );
}

/** The request is fine, but the cluster does not answer. */
function Outage({ error, onRetry }: { readonly error: WireError; readonly onRetry: () => void }) {
  const { what, why } = logMessageOf(error);
  return (
    <div className="problem" data-problem={error.code} data-outage>
      <p className="warn-text">
        {sentence(what)}: lines resume when it responds.{' '}
        <span className="problem-why">{why === undefined ? null : `${sentence(why)}. `}</span>
        <button type="button" className="text-button" onClick={onRetry}>
          Retry now
        </button>
      </p>
    </div>
  );
}

function Failure({ problem }: { readonly problem: Problem }) {
  const { why = '', next } = logMessageOf(problem.error);
  // After the first line comes an argument with a mark under its wrong character.
  const [because = '', ...drawn] = why.split('\n');
  return (
    <>
      <p>
        <span className="problem-what">{whatOf(problem)}</span>
        {because === '' ? null : <span className="problem-why">{sentence(because)}</span>}
      </p>
      {drawn.length === 0 ? null : <pre className="problem-drawn">{drawn.join('\n')}</pre>}
      {next === undefined || problem.isRetried === true ? null : (
        <p className="problem-why">{sentence(next)}</p>
      )}
    </>
  );
}

interface DeniedProps {
  readonly problem: Problem;
  readonly denied: NonNullable<WireError['denied']>;
}

function Denied({ problem, denied }: DeniedProps) {
  return (
    <>
      <p>
        {/* The cluster's own message about a missing permission is longer and says the same. */}
        <span className="problem-what" title={logMessageOf(problem.error).why}>
          {whatOf(problem)}
        </span>
      </p>
      <p>
        Missing: <b>{denied.verb}</b> on <b>{denied.resource}</b>
        {denied.namespace === undefined ? ' in the cluster' : ' in namespace '}
        <b>{denied.namespace}</b>
        {' · '}
        <code>{denied.check}</code> <CopyButton text={denied.check} label="Copy kubectl command" />
      </p>
    </>
  );
}

function whatOf({ error, others }: Problem): string {
  const { what } = logMessageOf(error);
  if (others === undefined) return sentence(what);
  return `${sentence(what)}, nor ${others === 1 ? 'one other' : `${others} others`} there`;
}
