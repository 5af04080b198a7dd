const NAME = '[^.]+';
const OF_ALIAS = '(id|name|metadata\\..+|custom_metadata\\..+)';
const SELECTORS = [
  'identity\\.entity\\.(id|name|metadata\\..+)',
  `identity\\.entity\\.aliases\\.${NAME}\\.${OF_ALIAS}`,
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

/** The selectors of a path's templates that select nothing. */
export function unknownSelectors(path: string): readonly string[] {
  return Array.from(path.matchAll(/\{\{(.*?)\}\}/g), ([, selector = '']) => selector.trim()).filter(
    (selector) => !selector.includes('${') && !SELECTOR.test(selector),
  );
}

/** What a selector is probably meant to be. */
export function correctedSelector(selector: string): string | undefined {
  for (const [wrong, right] of CORRECTIONS) {
    const corrected = selector.replace(wrong, right);
    if (corrected !== selector && SELECTOR.test(corrected)) return corrected;
  }
  return undefined;
}
