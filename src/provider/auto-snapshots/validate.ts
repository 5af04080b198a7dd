import { autoSnapshot, describeFinding } from '../../model';
import { isKnown, type ClientContext, type Context } from '../../plugin';
import { reportFindings, reportSecrets } from '../objects';
import { STORAGE_TYPES } from './schema';
import { flatten, storageTypesIn, type Values } from './values';

/** Checks a configuration: that it has one storage block, and all that the model knows. */
export function validateSnapshot(config: Values, context: Context & ClientContext): void {
  const { diagnostics } = context;
  const name = typeof config.name === 'string' ? config.name : undefined;
  const given = storageTypesIn(config);
  const known = given.filter(({ block }) => isKnown(config[block]));
  const [storage] = known;

  if (known.length > 1 || given.length === 0) {
    const blocks = known.map(({ block }) => block).join(', ');
    const { summary, detail } = describeFinding(autoSnapshot, name, {
      severity: 'error',
      rule: 'one-storage-block',
      field: 'storage_type',
      problem: 'must come from one storage block',
      received: blocks === '' ? 'none' : blocks,
      allowed: `one of the blocks ${STORAGE_TYPES.map(({ block }) => block).join(', ')}`,
      cure: blocks === '' ? 'add the block of the storage to write to' : 'remove all of them but one',
    });
    diagnostics.error(summary, detail);
  }
  if (known.length === 1 && storage) {
    const { definition, block, fields } = storage;
    reportFindings(definition, flatten(config, storage), diagnostics, (field) =>
      field in fields ? [block] : [],
    );
    reportSecrets(definition, config[block] as Values, context, { name, within: [block] });
  } else {
    reportFindings(autoSnapshot, { ...config, storage_type: undefined }, diagnostics);
  }
}
