import { useId } from 'react';
import type { ToolProps } from '../console/tools/slots.ts';
import type { ContainerGroup } from './container-groups.ts';
import { hasAllContainers, switchAllContainers } from './source-change.ts';

interface OtherContainersProps {
  readonly names: readonly string[];
  readonly onAdd: (name: string) => void;
}

/** Containers of the same pods that are not shown; a click adds one. */
export function OtherContainers({ names, onAdd }: OtherContainersProps) {
  return names.map((name) => (
    <li key={name} className="facet">
      <button
        type="button"
        className="text-button facet-add"
        aria-label={`Add the container ${name}`}
        onClick={() => onAdd(name)}
      >
        + {name}
      </button>
    </li>
  ));
}

interface AllContainersProps extends Pick<ToolProps, 'url' | 'setUrl'> {
  readonly groups: readonly ContainerGroup[];
}

/** Switches between each pod's default container and all containers, if that makes a difference. */
export function AllContainers({ groups, url, setUrl }: AllContainersProps) {
  const isAll = hasAllContainers(url.src);
  if (!isAll && groups.every(({ others }) => others.length === 0)) return null;
  return (
    <label className="item facet-all-containers">
      <input
        type="checkbox"
        className="tick-box"
        checked={isAll}
        onChange={() => setUrl({ src: switchAllContainers(url.src, !isAll) })}
      />
      All containers
    </label>
  );
}

interface FindFacetProps {
  readonly text: string;
  readonly onType: (text: string) => void;
}

/** A field that limits the list to names containing the text. */
export function FindFacet({ text, onType }: FindFacetProps) {
  const id = useId();
  return (
    <div className="facet-find">
      <label className="sr-only" htmlFor={id}>
        Find a container, node or zone
      </label>
      <input
        id={id}
        className="panel-field"
        placeholder="Find a container"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => onType(event.target.value)}
      />
    </div>
  );
}
