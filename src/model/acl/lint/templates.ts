import { selectorsOf } from '../template';

const NAME = '[^.]+';
/** An accessor in a selector. It contains no `*`, which would be literal. */
const ACCESSOR = '[^.*]+';
const OF_ALIAS = '(id|name|metadata\\..+|custom_metadata\\..+)';
const SELECTORS = [
  'identity\\.entity\\.(id|name|metadata\\..+)',
  `identity\\.entity\\.aliases\\.${ACCESSOR}\\.${OF_ALIAS}`,
  `identity\\.groups\\.(ids|names)\\.${NAME}\\.(id|name|metadata\\..+)`,
  'time\\.now(\\.(plus|minus)\\..+)?',
];
const SELECTOR = new RegExp(`^(${SELECTORS.join('|')})$`);

const CORRECTIONS: readonly (readonly [RegExp, string])[] = [
  [/^identity\.entity\.alias\./, 'identity.entity.aliases.'],
  [/^identity\.group\./, 'identity.groups.'],
  [/^identity\.groups\.name\./, 'identity.groups.names.'],
  [/^identity\.groups\.id\./, 'identity.groups.ids.'],
  [/^entity\./, 'identity.entity.'],
];

/**
 * The beginnings of selectors for the server. Selectors for another tool begin otherwise:
 * `{{ .Values.mount }}`.
 */
const MEANT_FOR_SERVER = /^(identity|entity|entities|groups?|alias(es)?|time)\./;

export function isSelector(text: string): boolean {
  return SELECTOR.test(text);
}

/** A placeholder in a selector, within brackets: `<<.Accessor>>`. */
const PLACEHOLDER = /<[^<>]*>/;

/**
 * Returns the selectors in a path's templates that select nothing, for all texts that may replace
 * placeholders in them.
 */
export function unknownSelectors(path: string): readonly string[] {
  return wrongSelectors(path).filter(
    (selector) => MEANT_FOR_SERVER.test(selector) && !PLACEHOLDER.test(selector),
  );
}

/**
 * Returns the selectors in a path's templates that are probably meant for another tool, such as
 * Helm or Ansible.
 */
export function selectorsOfOtherTools(path: string): readonly string[] {
  return wrongSelectors(path).filter((selector) => !MEANT_FOR_SERVER.test(selector));
}

function wrongSelectors(path: string): readonly string[] {
  return selectorsOf(path).filter((selector) => !selector.includes('${') && !SELECTOR.test(selector));
}

/** Returns the valid selector that was probably meant. */
export function correctedSelector(selector: string): string | undefined {
  for (const [wrong, right] of CORRECTIONS) {
    const corrected = selector.replace(wrong, right);
    if (corrected !== selector && SELECTOR.test(corrected)) return corrected;
  }
  return undefined;
}
