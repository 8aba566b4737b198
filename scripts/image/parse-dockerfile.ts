/** One instruction of a Dockerfile: its name in capitals and its arguments, with lines joined. */
export interface Instruction {
  readonly name: string;
  readonly text: string;
}

export interface Stage {
  /** The base image of the stage. */
  readonly from: string;
  readonly name: string | undefined;
  readonly instructions: readonly Instruction[];
}

/**
 * Parses the stages of a Dockerfile, as far as this repository uses the format
 * (https://docs.docker.com/reference/dockerfile/): no parser directives, no here-documents. Leaves unknown instructions
 * to the caller.
 */
export function parseDockerfile(text: string): readonly Stage[] {
  const stages: { from: string; name: string | undefined; instructions: Instruction[] }[] = [];
  for (const instruction of instructionsOf(text)) {
    if (instruction.name === 'FROM') {
      const [, from = '', name] = /^(\S+)(?: AS (\S+))?$/i.exec(instruction.text) ?? [];
      if (from === '') throw new Error(`cannot read FROM ${instruction.text}`);
      stages.push({ from, name, instructions: [] });
      continue;
    }
    const stage = stages.at(-1);
    if (stage === undefined) throw new Error(`${instruction.name} stands before FROM`);
    stage.instructions.push(instruction);
  }
  return stages;
}

function instructionsOf(text: string): readonly Instruction[] {
  const lines = text.split('\n').filter((line) => !/^\s*(#|$)/.test(line));
  return lines
    .join('\n')
    .replaceAll(/\\\n/g, '')
    .split('\n')
    .map((line) => {
      const [, name = '', rest = ''] = /^\s*([A-Za-z]+)\s+(.*)$/.exec(line) ?? [];
      if (name === '') throw new Error(`cannot read the line ${JSON.stringify(line)}`);
      return { name: name.toUpperCase(), text: rest.trim() };
    });
}

/** Splits the arguments of an instruction: `"a b" c=d` has two, without quotes. */
export function argumentsOf(text: string): readonly string[] {
  return (text.match(/(?:"[^"]*"|[^\s"])+/g) ?? []).map((argument) => argument.replaceAll('"', ''));
}
