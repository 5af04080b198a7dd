import { MANAGED_KEY } from '../../model';
import { isKnown, type ClientContext, type Context } from '../../plugin';
import { reportChoice, reportFindings, reportSecrets } from '../objects';
import { BACKEND_BLOCKS, backendsIn, flatten, type Values } from './backends';
import { reportTestSign, type TestSignConfig } from './test-sign';

/** Checks a configuration: that it has one backend, and all that the model knows. */
export function validateKey(config: Values, context: Context & ClientContext): void {
  const { diagnostics } = context;
  const name = typeof config.name === 'string' ? config.name : undefined;
  reportChoice(MANAGED_KEY, config, BACKEND_BLOCKS, diagnostics);

  const [backend, another] = backendsIn(config);
  const chosen = backend && !another && isKnown(config[backend.type]) ? backend : undefined;
  if (chosen) {
    const { definition, fields, type } = chosen;
    reportFindings(definition, flatten(config, chosen), diagnostics, (field) =>
      field in fields ? [type] : [],
    );
    reportSecrets(definition, config[type] as Values, context, { name, within: [type] });
  } else {
    reportFindings(MANAGED_KEY, config, diagnostics);
  }
  const key = chosen?.keySpec(flatten(config, chosen));
  reportTestSign(config.test_sign as TestSignConfig, name, key, diagnostics);
}
