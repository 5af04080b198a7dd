import { isDeepStrictEqual } from 'node:util';
import { MANAGED_KEY, sameMeaning, type Field } from '../../model';
import { isKnown, isWhollyKnown, UNKNOWN, type Unknown } from '../../plugin';
import { backendsIn, type Values } from './backends';

/** The type of the key that a configuration has a block for, as far as its blocks are known. */
export function configuredType(config: Values): string | Unknown {
  const [backend] = backendsIn(config);
  return backend && isKnown(config[backend.type]) ? backend.type : UNKNOWN;
}

/** A plan in the spelling of the state, where that means the same: `0x1` and `0x0001` are no change. */
export function inSpellingOf(state: Values, plan: Values): Values {
  const blocks = backendsIn(plan).map(({ type, fields }) => {
    const [planned, stored] = [plan[type], state[type]];
    const known = isObject(planned) && isObject(stored);
    return [type, known ? { ...planned, ...unchanged(fields, planned, stored) } : planned] as const;
  });
  return { ...plan, ...unchanged(MANAGED_KEY.fields, plan, state), ...Object.fromEntries(blocks) };
}

/**
 * The plan of a key that stays: its UUID does, too, and after a change, or where the last test signature failed, there
 * is to be a new one.
 */
export function planOfStaying(state: Values, plan: Values): Values {
  const { test_sign: test } = plan;
  const before = isObject(state.test_sign) ? state.test_sign.passed : null;
  const kept = {
    ...plan,
    uuid: state.uuid,
    test_sign: isObject(test) ? { ...test, passed: before } : test,
  };
  const testIsDue = isObject(test) && before !== true;
  if (!testIsDue && isDeepStrictEqual(kept, state)) return kept;
  return {
    ...kept,
    uuid: state.uuid ?? UNKNOWN,
    test_sign: isObject(test) ? { ...test, passed: UNKNOWN } : test,
  };
}

/** The fields that mean the same in plan and state, as the state has them. */
function unchanged(fields: Readonly<Record<string, Field>>, plan: Values, state: Values): Values {
  const same = Object.entries(fields).filter(([name, field]) => {
    const [planned, stored] = [plan[name] ?? null, state[name] ?? null];
    const comparable = planned !== null && stored !== null && isWhollyKnown(planned) && !field.sensitive;
    return comparable && sameMeaning(field, planned, stored);
  });
  return Object.fromEntries(same.map(([name]) => [name, state[name]]));
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null;
}
