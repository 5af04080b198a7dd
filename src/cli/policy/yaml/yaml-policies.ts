import { readTextFile } from '../../../policy/text-file';
import type { TextPosition } from '../../../model';
import { placesIn, type PolicyScalar } from './documents';

/** An ACL policy in a YAML file of another tool. */
interface YamlPolicy {
  readonly name: string;
  /** The text, with expressions of the tool such as `${env "TEAM"}`. */
  readonly text: string;
  /** Returns where a line and column of the text are in the file. */
  readonly at: (position: TextPosition) => TextPosition;
}

export const YAML_EXTENSIONS: readonly string[] = ['.yaml', '.yml'];

/** The maximum size in bytes: Kubernetes stores no larger objects. */
const LONGEST = 4 * 1024 * 1024;
/** Matches words without which a file has no policy, as most YAML files beside policies. */
const MARKS = /redhatcop\.redhat\.io|externalConfig:|^policies:/m;

/**
 * Finds the ACL policies of a YAML file: those of the configuration of bank-vaults, by itself or in
 * a `Vault` resource, and the `Policy` resources of vault-config-operator.
 *
 * @throws Error if it is not YAML.
 */
export function yamlPolicies(file: string): readonly YamlPolicy[] {
  const source = readTextFile(file, LONGEST);
  if (!MARKS.test(source)) return [];
  return placesIn(source).map((each) => ({ name: each.name, text: each.text, at: positionsIn(each) }));
}

/**
 * Returns a function that converts positions in a text to positions in the file. A literal block is
 * indented, and keeps its lines. In other texts that are not written verbatim, every position is
 * the start of the text.
 */
function positionsIn({ text, start, written, isBlock }: PolicyScalar): YamlPolicy['at'] {
  const { line, column } = start;
  if (!isBlock) {
    const quote = /^["']/.test(written) ? 1 : 0;
    const isVerbatim = written.slice(quote, written.length - quote) === text;
    return (position) => ({ line, column: isVerbatim ? column + quote + position.column - 1 : column });
  }
  const [, ...rows] = written.split('\n');
  const first = rows.find((row) => row.trim() !== '') ?? '';
  const own = text.split('\n').find((row) => row.trim() !== '') ?? '';
  const indent = Math.max(0, first.trimEnd().length - own.trimEnd().length);
  return (position) => ({ line: line + position.line, column: indent + position.column });
}
