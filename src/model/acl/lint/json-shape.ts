import { isRecord, parseForeignJson, type JsonRecord } from '../../../text';

/** A part of a policy's JSON form that has the wrong type, and what to write. */
interface MisplacedJson {
  readonly problem: string;
  readonly cure: string;
}

const EXAMPLE = '{"path": {"secret/*": {"capabilities": ["read"]}}}';

/**
 * Returns the first level of a JSON text that has the wrong type for a policy: the text, its
 * `path`, or a rule. The server takes such a level for something else, so its message does not
 * help.
 *
 * @returns `undefined` if the text is not JSON, or if all levels have the right type.
 */
export function misplacedJson(text: string): MisplacedJson | undefined {
  const value = jsonOf(text);
  if (value === undefined) return undefined;
  if (typeof value === 'string') {
    return {
      problem: 'it is a text within the quotes of JSON',
      cure: 'give the text itself, without encoding it as JSON',
    };
  }
  if (!isRecord(value)) return misplaced('the policy', value, `write ${EXAMPLE}`);
  const { path } = value;
  if (path === undefined) return withoutPath(value);
  const rules: readonly unknown[] = Array.isArray(path) ? path : [path];
  const other = rules.find((each) => !isRecord(each));
  if (other !== undefined) return misplaced('"path"', Array.isArray(path) ? path : other, `write ${EXAMPLE}`);
  const [name, rule] = misplacedRule(rules.filter(isRecord)) ?? [];
  if (name === undefined) return undefined;
  const cure = `write ${JSON.stringify(name)}: {"capabilities": ["read"]}`;
  return misplaced(`the rule for ${JSON.stringify(name)}`, rule, cure);
}

/** Describes rules that are not within `path`. */
function withoutPath(value: JsonRecord): MisplacedJson | undefined {
  const rules = Object.entries(value).filter(([name]) => name !== 'name');
  if (rules.length === 0 || !rules.every(([, rule]) => isRecord(rule))) return undefined;
  return { problem: '"path" is missing around the rules', cure: `write ${EXAMPLE}` };
}

/**
 * Returns the first rule that is neither an object nor a list of objects. A name of only letters is
 * skipped, because it may be an argument: the server reads an object with arguments as a rule for
 * the path `path`.
 */
function misplacedRule(blocks: readonly JsonRecord[]): readonly [string, unknown] | undefined {
  return blocks
    .flatMap((block) => Object.entries(block))
    .find(([name, rule]) => /\W/.test(name) && !(Array.isArray(rule) ? rule : [rule]).every(isRecord));
}

function misplaced(what: string, value: unknown, cure: string): MisplacedJson {
  return { problem: `${what} must be an object, and is ${typeOf(value)}`, cure };
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'a text';
  return typeof value === 'number' ? 'a number' : String(value);
}

function jsonOf(text: string): unknown {
  try {
    return parseForeignJson(text);
  } catch {
    return undefined;
  }
}
