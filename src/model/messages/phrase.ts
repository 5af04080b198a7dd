/** A text with references and actions, which each notation spells in its own way. */
export type Phrase = string | Reference | CureAction | Alternative | Parts;

/** A sequence of phrases, which are read as one text. */
interface Parts {
  readonly kind: 'parts';
  readonly parts: readonly Phrase[];
}

/** The beginning of an alternative: the actions after it replace those before it. */
interface Alternative {
  readonly kind: 'or';
  readonly words: string;
}

/** Something that a text refers to. */
export type Reference =
  /**
   * A field of the model, or a property of a construct that is no field of the model. In the
   * notation of constructs, a field has the name of its property. With a value, the reference is an
   * assignment: `key_bits = 2048`.
   */
  | { readonly kind: 'field' | 'property'; readonly name: string; readonly value?: Phrase }
  | { readonly kind: 'literal'; readonly value: unknown }
  /** TypeScript of an app: `KeySpec.rsa(2048)`. */
  | { readonly kind: 'code'; readonly source: string }
  | { readonly kind: 'cluster' | 'variable' | 'file' | 'command'; readonly name: string };

/** Something that the reader should do. */
export type CureAction =
  /** The action `set curve to "P256"`. Without a value, the reader chooses the value. */
  (
    | { readonly kind: 'set'; readonly field: Phrase; readonly value?: Phrase }
    /** The action `remove curve`. */
    | { readonly kind: 'remove'; readonly field: Phrase }
    /**
     * The action to run a command of Vault on clusters: on all of them, or on one that the reader
     * chooses.
     */
    | {
        readonly kind: 'run';
        readonly command: string;
        readonly clusters: readonly string[];
        readonly which?: 'one' | 'all-but-one';
      }
    /** The action to give a cluster empty storage, and to initialize and unseal it. */
    | { readonly kind: 'empty-storage'; readonly cluster: string }
    | { readonly kind: 'plan' | 'apply' | 'import' }
  ) & {
    /** A text for the action, in place of the usual one. */
    readonly words?: Phrase;
  };

/**
 * Returns the phrase of a template, such as ``phrase`is required if ${field('curve')} is set` ``.
 *
 * A line break with the indentation of the next line counts as one space.
 *
 * @param inserted the inserted values. Texts are inserted as they are, without quotes.
 */
export function phrase(texts: TemplateStringsArray, ...inserted: readonly (Phrase | number)[]): Phrase {
  return joined(texts.flatMap((text, index) => [text.replace(/\n {2,}/g, ' '), inserted[index] ?? '']));
}

/** Joins phrases with a separator. If none has a reference, the result is one text. */
export function joined(phrases: readonly (Phrase | number)[], separator: Phrase = ''): Phrase {
  const parts = phrases.flatMap((each, index) => {
    const part = typeof each === 'number' ? String(each) : each;
    return index === 0 ? [part] : [separator, part];
  });
  if (parts.every((part) => typeof part === 'string')) return parts.join('');
  return { kind: 'parts', parts: parts.filter((part) => part !== '') };
}

/** Joins alternatives: `set slot, or remove token_label`. */
export function either(...actions: readonly Phrase[]): Phrase {
  return joined(actions, or(', or '));
}

/**
 * Begins an alternative to the actions before it.
 *
 * @param words the words at the beginning of the alternative: `Or`, or the beginning of a
 * condition.
 */
export function or(words: string): Phrase {
  return { kind: 'or', words };
}

/** A phrase, or a value of another type. A text counts as a phrase, so it gets no quotes. */
type Assigned = Phrase | boolean | number;

export function field(name: string, value?: Assigned): Reference {
  return { kind: 'field', name, ...assigned(value) };
}

/** Refers to a property of a construct that is not a field of the model. */
export function property(name: string, value?: Assigned): Reference {
  return { kind: 'property', name, ...assigned(value) };
}

/** Refers to a value in the notation of code. The value is shown, so it must not be a secret. */
export function literal(value: unknown): Reference {
  return { kind: 'literal', value };
}

export function literals(values: readonly unknown[]): Phrase {
  return joined(values.map(literal), ', ');
}

/** Refers to the TypeScript of an app: `KeySpec.rsa(2048)`. */
export function code(source: string): Reference {
  return { kind: 'code', source };
}

export function cluster(name: string): Reference {
  return { kind: 'cluster', name };
}

/** Refers to an environment variable. */
export function variable(name: string): Reference {
  return { kind: 'variable', name };
}

export function file(name: string): Reference {
  return { kind: 'file', name };
}

/** Refers to a command as it is typed in a terminal. */
export function command(name: string): Reference {
  return { kind: 'command', name };
}

/** Returns the action `set key_bits`, or with a value `set allow_generate_key to false`. */
export function set(name: string, value?: Assigned): CureAction {
  return { kind: 'set', field: field(name), ...assigned(value) };
}

/** Returns an action with another text, so that it fits into a sentence. */
export function worded(action: CureAction, words: Phrase): CureAction {
  return { ...action, words };
}

/** Returns the action `remove key_bits`. */
export function remove(name: string): CureAction {
  return { kind: 'remove', field: field(name) };
}

function assigned(value: Assigned | undefined): { readonly value?: Phrase } {
  if (value === undefined) return {};
  return { value: typeof value === 'boolean' || typeof value === 'number' ? literal(value) : value };
}
