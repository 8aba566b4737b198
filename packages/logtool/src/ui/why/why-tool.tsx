import type { ToolProps } from '../console/tools/slots.ts';
import type { ConsoleUrl } from '../console/url/console-url.ts';
import { sourceName } from '../messages/standing.ts';
import { WhyButton } from './why-button.tsx';
import type { WhyQuestion } from './why-question.ts';

/** Opens the explanation of everything that the log shows. */
export function WhyTool({ url }: Pick<ToolProps, 'url'>) {
  const { ctx, src } = url;
  if (ctx === '' || src.length === 0) return null;
  const [first = ''] = src;
  const name = src.length === 1 ? sourceName(first) : `${src.length} sources`;
  return (
    <WhyButton question={{ context: ctx, sources: src, name, shown: shownAs(url) }} className="button" />
  );
}

/** Omits options that are not set. */
function shownAs({ cols, tz, wrap, flat }: ConsoleUrl): NonNullable<WhyQuestion['shown']> {
  return {
    ...(cols === undefined ? {} : { cols }),
    ...(tz === undefined ? {} : { tz }),
    ...(wrap === undefined ? {} : { wrap }),
    ...(flat === undefined ? {} : { flat }),
  };
}
