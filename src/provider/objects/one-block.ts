import { describeFinding, type ObjectDefinition } from '../../model';
import { isKnown, type Diagnostics } from '../../plugin';

type Values = Readonly<Record<string, unknown>>;

/** Which of several blocks are given. Of those it may not be known yet whether they are. */
export function blocksIn(values: Values, names: readonly string[]): readonly string[] {
  return names.filter((name) => (values[name] ?? null) !== null);
}

/** Blocks of which an object has exactly one, and the attribute that says which. */
export interface Choice {
  readonly attribute: string;
  readonly blocks: readonly string[];
}

/** Tells where not exactly one of several blocks is given. Blocks that are not known yet may be. */
export function reportChoice(
  definition: Pick<ObjectDefinition, 'title'>,
  config: Values,
  { attribute, blocks }: Choice,
  diagnostics: Diagnostics,
): void {
  const given = blocksIn(config, blocks);
  const known = given.filter((block) => isKnown(config[block]));
  if (given.length > 0 && known.length < 2) return;

  const name = typeof config.name === 'string' ? config.name : undefined;
  const { summary, detail } = describeFinding(definition, name, {
    severity: 'error',
    rule: `one-block-for-${attribute}`,
    field: attribute,
    problem: 'must come from one block',
    received: known.length === 0 ? 'none' : known.join(', '),
    allowed: `one of the blocks ${blocks.join(', ')}`,
    cure: known.length === 0 ? 'add one of them' : 'remove all of them but one',
  });
  diagnostics.error(summary, detail, known.slice(1, 2));
}
