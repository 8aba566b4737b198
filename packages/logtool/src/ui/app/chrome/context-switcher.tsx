import type { Context } from '../../../contract/cluster.ts';
import type { WireError } from '../../../contract/error.ts';
import { messageOf } from '../../messages/message-of.ts';
import { useShell } from '../../shell/shell-context.ts';
import { Icon } from './icons.tsx';
import { PageLink } from './page-link.tsx';
import { Popover } from './popover.tsx';

interface ContextSwitcherProps {
  readonly current: string | undefined;
  /** Path and query of the page for another context. */
  readonly linkTo: (context: string) => string;
}

const STATE_TEXTS = {
  reachable: 'reachable',
  unreachable: 'does not answer',
  unknown: 'not checked yet',
} as const;

/**
 * The page's context, and a list of all contexts with server and reachability. Opening the list checks the
 * current context and those not known to be reachable.
 */
export function ContextSwitcher({ current, linkTo }: ContextSwitcherProps) {
  const { contexts, checkContext } = useShell();
  const all = contexts?.contexts ?? [];
  const here = all.find((context) => context.name === current);
  const ask = () => {
    for (const { name, reachability } of all)
      if (reachability !== 'reachable' || name === current) checkContext(name);
  };
  const trigger = (
    <>
      <b>{current ?? '…'}</b>
      <Icon name="chevron" />
    </>
  );
  return (
    <>
      <Popover
        label="Contexts"
        trigger={trigger}
        triggerClass="crumb"
        triggerLabel={`Context ${current ?? ''}`}
        onOpen={ask}
      >
        {(close) => (
          <>
            {contexts?.error === undefined ? null : (
              <p className="panel-note warn">{messageOf(contexts.error).what}</p>
            )}
            <ul className="list">
              {all.map((context) => (
                <li key={context.name}>
                  <ContextLink
                    context={context}
                    isHere={context.name === current}
                    to={linkTo(context.name)}
                    close={close}
                  />
                </li>
              ))}
            </ul>
          </>
        )}
      </Popover>
      <span className="facts">{here === undefined ? '' : factsOf(here)}</span>
    </>
  );
}

interface ContextLinkProps {
  readonly context: Context;
  readonly isHere: boolean;
  readonly to: string;
  readonly close: () => void;
}

function ContextLink({ context, isHere, to, close }: ContextLinkProps) {
  const facts = factsOf(context);
  return (
    <PageLink
      className="item two-lines"
      to={to}
      aria-current={isHere ? 'true' : undefined}
      data-reachability={context.reachability}
      onClick={close}
    >
      <span className="item-head">
        <i className={`lamp ${context.reachability}`} aria-hidden="true" />
        <span className="item-name">{context.name}</span>
        <span className="item-note">
          {STATE_TEXTS[context.reachability]}
          {facts === '' ? '' : ` · ${facts}`}
        </span>
      </span>
      <span className="item-sub">{context.server}</span>
      {context.error === undefined ? null : (
        <span className="item-sub err">{shortMessage(context.error)}</span>
      )}
    </PageLink>
  );
}

/** `v1.35 · 6 nodes` */
function factsOf({ version, nodes }: Context): string {
  const short = version === undefined ? undefined : (/^v\d+\.\d+/.exec(version)?.[0] ?? version);
  const count = nodes === undefined ? undefined : `${nodes} node${nodes === 1 ? '' : 's'}`;
  return [short, count].filter(Boolean).join(' · ');
}

function shortMessage(error: WireError): string {
  const { what, why } = messageOf(error);
  return why ?? what;
}
