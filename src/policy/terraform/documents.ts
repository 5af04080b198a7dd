import type { TextPosition } from '../../model';
import { groupsBy } from '../../model/groups';
import type { TerraformBlock, TerraformString } from './strings';

/** A policy as `data "vault_policy_document"` writes it. */
interface PolicyDocument {
  /** The label of the block. */
  readonly label: string;
  readonly text: string;
  /** Returns where a line of the text is in the file. */
  readonly at: (position: TextPosition) => TextPosition;
}

/** A line of a policy, with the place of the string that it is from. */
interface Line {
  readonly text: string;
  readonly at: TextPosition;
}

const START: TextPosition = { line: 1, column: 1 };
/** The lists of a rule and their names in a policy, and its blocks of parameters. */
const LISTS = ['required_parameters', 'subscribe_event_types'];
const PARAMETERS = { allowed_parameter: 'allowed_parameters', denied_parameter: 'denied_parameters' };
const TTLS = ['min_wrapping_ttl', 'max_wrapping_ttl'];

/** Returns the policies of `data "vault_policy_document"` blocks with their literal parts. */
export function documentsIn(strings: readonly TerraformString[]): readonly PolicyDocument[] {
  const documents = new Map<TerraformBlock, Map<TerraformBlock, TerraformString[]>>();
  for (const each of strings) {
    const [document, rule] = each.blocks;
    if (document?.words[0] !== 'data' || document.words[1] !== 'vault_policy_document') continue;
    if (rule?.words[0] !== 'rule' || each.blocks.length > 3) continue;
    const rules = documents.get(document) ?? new Map<TerraformBlock, TerraformString[]>();
    documents.set(document, rules);
    const values = rules.get(rule) ?? [];
    rules.set(rule, values);
    values.push(each);
  }
  return Array.from(documents, ([{ words }, rules]) => {
    const lines = [...rules.values()].flatMap(ruleLines);
    return {
      label: words.at(-1) ?? 'policy',
      text: lines.map(({ text }) => `${text}\n`).join(''),
      at: ({ line, column }) => lines[line - 1]?.at ?? { line, column },
    };
  });
}

function ruleLines(values: readonly TerraformString[]): readonly Line[] {
  const own = (name: string) =>
    values.filter(({ blocks, argument }) => blocks.length === 2 && argument === name);
  const [path] = own('path');
  if (!path) return [];
  const at = path.at(START);
  const [description] = own('description');
  const capabilities = own('capabilities');
  return [
    ...(description?.text.split('\n') ?? []).map((text) => ({ text: `# ${text}`, at })),
    { text: `path ${quoted(path)} {`, at },
    // The policy has an expression if the configuration has one instead of a list.
    capabilities.length > 0
      ? listLine('capabilities', capabilities)
      : { text: '  capabilities = ${capabilities}', at },
    ...LISTS.flatMap((name) => (own(name).length > 0 ? [listLine(name, own(name))] : [])),
    ...Object.entries(PARAMETERS).flatMap(([block, name]) => parameterLines(values, block, name)),
    ...TTLS.flatMap((name) =>
      own(name).map((each) => ({ text: `  ${name} = ${quoted(each)}`, at: each.at(START) })),
    ),
    { text: '}', at },
  ];
}

/** Returns the lines of a map of parameters: each block of the kind has a key and its values. */
function parameterLines(values: readonly TerraformString[], kind: string, name: string): readonly Line[] {
  const ofKind = values.filter(({ blocks: [, , block] }) => block?.words[0] === kind);
  const lines = groupsBy(ofKind, ({ blocks }) => blocks[2]).flatMap((parts): readonly Line[] => {
    const key = parts.find(({ argument }) => argument === 'key');
    const list = parts.filter(({ argument }) => argument === 'value');
    return key ? [{ text: `    ${quoted(key)} = [${list.map(quoted).join(', ')}]`, at: key.at(START) }] : [];
  });
  const [first] = lines;
  return first ? [{ text: `  ${name} = {`, at: first.at }, ...lines, { text: '  }', at: first.at }] : [];
}

function listLine(name: string, values: readonly TerraformString[]): Line {
  const [first] = values;
  return { text: `  ${name} = [${values.map(quoted).join(', ')}]`, at: first!.at(START) };
}

function quoted({ text }: TerraformString): string {
  return JSON.stringify(text);
}
