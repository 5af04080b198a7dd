import { ASSUMPTIONS, type Assumed, type AssumptionName } from '../assume';
import { invalidRequest } from '../core/errors';
import type { JsonObject } from '../core/primitives/json';

type Action = (request: { readonly body: JsonObject }) => object;

/** The control API's actions on assumptions, which apply to all clusters. */
export function assumptionActions(assumed: Assumed): Readonly<Record<string, Action>> {
  return {
    'GET assumptions': () => show(assumed),
    'POST assumptions': ({ body }) => {
      try {
        assumed.choose(body);
      } catch (error) {
        throw error instanceof RangeError ? invalidRequest(error.message) : error;
      }
      return show(assumed);
    },
  };
}

/** Returns the selected alternatives, by assumption. */
function show(assumed: Assumed): object {
  const names = Object.keys(ASSUMPTIONS) as AssumptionName[];
  return Object.fromEntries(names.map((name) => [name, assumed.chosen(name)]));
}
