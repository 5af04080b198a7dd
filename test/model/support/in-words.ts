/**
 * Validates with the rules of the model.
 *
 * @returns findings with texts in place of phrases
 */
import * as model from '../../../src/model';
import { renderPhrase } from '../../../src/model/messages';

export const validate: typeof model.validate = (...given) => model.validate(...given).map(inWords);

export const validateSetFields: typeof model.validateSetFields = (...given) =>
  model.validateSetFields(...given).map((found) => ({ ...found, finding: inWords(found.finding) }));

export const validateSecondaries: typeof model.validateSecondaries = (...given) =>
  model.validateSecondaries(...given).map((found) => ({ ...found, finding: inWords(found.finding) }));

function inWords(finding: model.Finding): model.Finding {
  const { problem, received, allowed, cure } = finding;
  return {
    ...finding,
    problem: renderPhrase(problem),
    ...(received !== undefined && { received: renderPhrase(received) }),
    ...(allowed !== undefined && { allowed: renderPhrase(allowed) }),
    cure: renderPhrase(cure),
  };
}
