import { AUTO_SNAPSHOT } from '../../model';
import { isKnown, type ClientContext, type Context } from '../../plugin';
import { reportChoice, reportFindings, reportSecrets } from '../objects';
import { flatten, STORAGE_BLOCKS, storageTypesIn, type Values } from './values';

/** Checks a configuration: that it has one storage, and all that the model knows. */
export function validateSnapshot(config: Values, context: Context & ClientContext): void {
  const { diagnostics } = context;
  const name = typeof config.name === 'string' ? config.name : undefined;
  reportChoice(AUTO_SNAPSHOT, config, STORAGE_BLOCKS, diagnostics);

  const [storage, another] = storageTypesIn(config);
  if (storage && !another && isKnown(config[storage.block])) {
    const { definition, block, fields } = storage;
    reportFindings(definition, flatten(config, storage), diagnostics, (field) =>
      field in fields ? [block] : [],
    );
    reportSecrets(definition, config[block] as Values, context, { name, within: [block] });
  } else {
    reportFindings(AUTO_SNAPSHOT, { ...config, storage_type: undefined }, diagnostics);
  }
}
