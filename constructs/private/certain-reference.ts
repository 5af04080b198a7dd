import { HAS_WORD, templateParts } from './literal-text';

/**
 * The first names of references whose value may be a literal in the code. Some of them are resource
 * types that return their own arguments, or a file that may be beside the code.
 */
const OF_THE_CODE: ReadonlySet<string> = new Set([
  'local',
  'each',
  'count',
  'path',
  'self',
  'terraform',
  'terraform_data',
  'null_resource',
  'null_data_source',
  'template_file',
  'local_file',
  'local_sensitive_file',
  'true',
  'false',
  'null',
]);

/**
 * The kind of a function's parameter. `secret`: a secret; `other`: a text or number that does not
 * become a part of the result; `separator`: punctuation.
 */
type Parameter = 'secret' | 'other' | 'separator';

/**
 * The functions that add no text to a secret. `regex` is not among them, because a pattern of
 * letters returns these letters, nor `file`, because the file may be a part of the code.
 */
const FUNCTIONS: Readonly<Record<string, readonly Parameter[] | 'secrets'>> = {
  sensitive: ['secret'],
  nonsensitive: ['secret'],
  trimspace: ['secret'],
  chomp: ['secret'],
  tostring: ['secret'],
  one: ['secret'],
  base64encode: ['secret'],
  base64decode: ['secret'],
  jsonencode: ['secret'],
  jsondecode: ['secret'],
  yamldecode: ['secret'],
  urlencode: ['secret'],
  textencodebase64: ['secret', 'other'],
  textdecodebase64: ['secret', 'other'],
  trim: ['secret', 'other'],
  trimprefix: ['secret', 'other'],
  trimsuffix: ['secret', 'other'],
  element: ['secret', 'other'],
  lookup: ['secret', 'other'],
  substr: ['secret', 'other', 'other'],
  split: ['other', 'secret'],
  join: ['separator', 'secret'],
  coalesce: 'secrets',
  try: 'secrets',
};

/**
 * Whether a text consists of references that Terraform resolves, functions of them, and
 * punctuation. Anything else, such as a local value, a conditional or a number, can contain text
 * from the code.
 */
export function isCertainReference(template: string): boolean {
  const parts = templateParts(template);
  return (
    parts.some(({ isLiteral }) => !isLiteral) &&
    parts.every(({ text, isLiteral }) =>
      isLiteral
        ? !HAS_WORD.test(text)
        : text.startsWith('${') && new ExpressionReader(text.slice(2, -1)).isReference(),
    )
  );
}

/** Reads expressions of Terraform that consist of references and functions of them. */
class ExpressionReader {
  private at = 0;

  constructor(private readonly text: string) {}

  isReference(): boolean {
    return this.readSecret() && this.isAtEnd();
  }

  private isAtEnd(): boolean {
    return this.take(/\s*$/y) !== undefined;
  }

  private readSecret(): boolean {
    if (this.takeSign('(')) return this.readSecret() && this.takeSign(')') && this.readSteps();
    if (this.takeSign('[')) return this.readSecrets(']');
    const quoted = this.takeQuoted();
    if (quoted !== undefined) return isCertainReference(quoted);
    const name = this.take(/\s*(?:resource\.|data\.)?([A-Za-z_][\w-]*)/y);
    if (name === undefined) return false;
    if (this.takeSign('(')) return this.readArguments(name) && this.readSteps();
    return !OF_THE_CODE.has(name) && this.readStep() && this.readSteps();
  }

  /** Reads one or more secrets, up to their closing character. */
  private readSecrets(end: string): boolean {
    do {
      if (!this.readSecret()) return false;
    } while (this.takeSign(','));
    return this.takeSign(end);
  }

  private readArguments(name: string): boolean {
    const parameters = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
    if (!parameters) return false;
    if (parameters === 'secrets') return this.readSecrets(')');
    return (
      parameters.every(
        (parameter, index) => (index === 0 || this.takeSign(',')) && this.readArgument(parameter),
      ) && this.takeSign(')')
    );
  }

  private readArgument(parameter: Parameter): boolean {
    if (parameter === 'secret') return this.readSecret();
    const text = this.takeQuoted() ?? this.take(/\s*(-?\d+)/y);
    return text !== undefined && (parameter === 'other' || !HAS_WORD.test(text));
  }

  private readSteps(): boolean {
    while (this.readStep());
    return true;
  }

  /** Reads an attribute, an index or a splat: `.pin`, `[0]`, `["pin"]`, `[*]`. */
  private readStep(): boolean {
    if (this.take(/\.([A-Za-z_*][\w-]*|\d+)/y) !== undefined) return true;
    if (this.take(/(\[)/y) === undefined) return false;
    const key = this.takeQuoted() ?? this.take(/\s*(\d+|\*)/y);
    return key !== undefined && this.takeSign(']');
  }

  private takeQuoted(): string | undefined {
    return this.take(/\s*"((?:[^"\\$%]|\\.|[$%](?!\{)|[$%]\{[^{}"]*\})*)"/y);
  }

  private takeSign(sign: string): boolean {
    const begin = this.at + (/^\s*/.exec(this.text.slice(this.at))?.[0].length ?? 0);
    if (!this.text.startsWith(sign, begin)) return false;
    this.at = begin + sign.length;
    return true;
  }

  /**
   * Returns the text that a sticky pattern matches at the current position, or its first group if
   * it has groups.
   */
  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.text);
    if (!match) return undefined;
    this.at = pattern.lastIndex;
    return match[1] ?? match[0];
  }
}
