/**
 * Tests the types that follow from schemas. Only `npm run typecheck` can fail here, and not Jest.
 */
import {
  defineFunction,
  definitions,
  integer,
  listBlock,
  mapNested,
  object,
  set,
  singleBlock,
  singleNested,
  string,
  types,
  type AppliedConfig,
  type Config,
  type Plan,
  type State,
  type Unknown,
} from '../../../src/plugin';

const schema = {
  attributes: {
    required: string({ required: true }),
    optional: string({ optional: true }),
    computed: string({ computed: true }),
    chosen: string({ optional: true, computed: true }),
    defaulted: integer({ optional: true, default: 1 }),
    secret: string({ optional: true, writeOnly: true }),
    set: set(types.string, { required: true }),
    pair: object({ left: types.integer, right: types.nullable(types.bool) }, { required: true }),
    settings: singleNested(
      { mode: string({ required: true }), token: string({ computed: true }) },
      { optional: true },
    ),
    limits: mapNested({ most: integer({ required: true }) }, { required: true }),
  },
  blocks: {
    listener: listBlock({ attributes: { port: integer({ required: true }) } }),
    option: singleBlock({ attributes: { key: string({ optional: true }) } }),
  },
};
type Schema = typeof schema;

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
function assertSame<A, B>(_same: Same<A, B>): void {}

test('values of a state are known, and null if they may be missing', () => {
  type S = State<Schema>;
  assertSame<S['required'], string>(true);
  assertSame<S['optional'], string | null>(true);
  assertSame<S['computed'], string | null>(true);
  assertSame<S['defaulted'], number>(true);
  assertSame<S['secret'], null>(true);
  assertSame<S['set'], readonly string[]>(true);
  assertSame<S['pair'], { readonly left: number; readonly right: boolean | null }>(true);
  assertSame<S['settings'], { readonly mode: string; readonly token: string | null } | null>(true);
  assertSame<S['limits'], { readonly [key: string]: { readonly most: number } }>(true);
  assertSame<S['listener'], readonly { readonly port: number }[]>(true);
  assertSame<S['option'], { readonly key: string | null } | null>(true);
});

test('computed values of a plan may be unknown', () => {
  type P = Plan<Schema>;
  assertSame<P['required'], string>(true);
  assertSame<P['computed'], string | null | Unknown>(true);
  assertSame<P['chosen'], string | null | Unknown>(true);
  assertSame<P['defaulted'], number>(true);
  assertSame<NonNullable<P['settings']>['token'], string | null | Unknown>(true);
});

test('values of a configuration may be unknown until it is applied', () => {
  type C = Config<Schema>;
  assertSame<C['required'], string | Unknown>(true);
  assertSame<C['defaulted'], number | null | Unknown>(true);
  assertSame<C['set'], Unknown | readonly (string | Unknown)[]>(true);
  assertSame<C['option'], Unknown | { readonly key: string | Unknown | null } | null>(true);
  type A = AppliedConfig<Schema>;
  assertSame<A['secret'], string | null>(true);
  assertSame<A['defaulted'], number | null>(true);
});

test('the type checker makes handlers check for unknown values', () => {
  const { resource } = definitions<{ readonly url: string }>();
  const rest = { name: 'thing', read: ({ state }: { state: State<Schema> }) => state, delete() {} };
  resource({
    ...rest,
    schema,
    create: ({ plan }, { providerData: provider }) => ({
      ...plan,
      computed: provider.url,
      chosen: null,
      settings: null,
    }),
  });
  resource({
    ...rest,
    schema,
    // @ts-expect-error -- computed attributes of the plan are not decided
    create: ({ plan }) => plan,
  });
});

test('options that contradict the type are refused', () => {
  // @ts-expect-error -- the option does not exist
  string({ requird: true });
  // @ts-expect-error -- a default has the type of the attribute
  integer({ optional: true, default: 'one' });
  // @ts-expect-error -- a validator gets a value of the type of the attribute
  string({ required: true, validators: [(value: number) => (value > 1 ? 'is too large' : undefined)] });
});

test('the arguments of functions have the types of their parameters', () => {
  defineFunction({
    name: 'join',
    summary: '',
    parameters: [
      { name: 'first', type: types.string },
      { name: 'times', type: types.nullable(types.integer) },
    ],
    variadic: { name: 'rest', type: types.bool },
    returns: types.string,
    // This compiles only if each argument has the type of its parameter.
    call: (first, times, ...rest) => first.repeat(times ?? 1) + rest.map((each): boolean => each).join(),
  });
});
