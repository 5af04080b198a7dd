import { formatDuration } from '../../../model';
import { route, type LogicalResponse, type MountContext, type Route } from '../../core/backend';
import { invalidRequest } from '../../core/errors';
import { type Decoded, updated } from '../../core/input/field-schemas';
import type { Json } from '../../core/primitives/json';
import { oldNamesInUse, OLD_TOKEN_FIELDS, underNewNames, underOldNames } from '../old-token-params';
import { describeTokenParams, TOKEN_FIELDS, tokenParams, type TokenParams } from '../token-params';
import { asList } from './claims';
import { jwtRole, jwtRoles, NO_SETTINGS, type RoleSettings } from './role';

const NAME = { type: 'lower_case_string', path: true, description: 'Name of the role.' } as const;
const FIELDS = {
  ...TOKEN_FIELDS,
  ...OLD_TOKEN_FIELDS,
  name: NAME,
  role_type: { type: 'string', default: '', description: "Type of the role, either 'jwt' or 'oidc'." },
  bound_audiences: { type: 'comma_string_list', description: 'Audiences, of which one must match.' },
  bound_subject: { type: 'string', description: 'The required subject.' },
  bound_claims: { type: 'object', description: 'Required claims, with their values.' },
  bound_claims_type: { type: 'string', default: 'string', description: "'string', or 'glob' for wildcards." },
  claim_mappings: { type: 'key_values', description: 'Claims to copy, and the names of their copies.' },
  user_claim: { type: 'string', description: 'The claim that names the user.' },
  user_claim_json_pointer: { type: 'boolean', description: 'The user claim is a JSON pointer.' },
  groups_claim: { type: 'string', description: "The claim that names the user's groups." },
  expiration_leeway: {
    type: 'signed_duration',
    description: 'Validity of tokens without an expiration time.',
  },
  not_before_leeway: { type: 'signed_duration', description: 'Allowed time before a token becomes valid.' },
  clock_skew_leeway: { type: 'signed_duration', description: 'Allowed difference between clocks.' },
  allowed_redirect_uris: { type: 'comma_string_list', description: 'For OIDC.' },
  oidc_scopes: { type: 'comma_string_list', description: 'For OIDC.' },
  max_age: { type: 'duration', description: 'For OIDC.' },
  verbose_oidc_logging: { type: 'boolean', description: 'For OIDC.' },
} as const;

export function roleRoutes(context: MountContext): Route[] {
  return [
    route({
      pattern: 'role',
      operations: { list: () => ({ data: { keys: jwtRoles(context.storage).list('') } }) },
      help: { synopsis: 'Lists all the roles registered with the backend.' },
    }),
    role(context),
  ];
}

function role({ storage, leaseTtls, server }: MountContext): Route {
  const save = ({ data }: { data: Decoded<typeof FIELDS> }): LogicalResponse | undefined => {
    const before = jwtRole(storage, data.name);
    const token = tokenParams(underNewNames(data), before?.token);
    const settings = settingsFrom(data, before?.settings);
    checkSettings(settings, token);
    const { max } = leaseTtls();
    if (token.token_period > max) {
      throw invalidRequest(
        `'period' of '"${formatDuration(token.token_period)}"' is greater than the backend's maximum lease TTL of ` +
          `'"${formatDuration(max)}"'`,
      );
    }
    jwtRoles(storage).put(data.name, { settings, token, oldNames: oldNamesInUse(data, before?.oldNames) });
    if (token.token_max_ttl <= max) return undefined;
    return {
      warnings: [
        "token max ttl is greater than the system or backend mount's maximum TTL value; issued tokens' max TTL value " +
          'will be truncated',
      ],
    };
  };
  return route({
    pattern: 'role/:name',
    fields: FIELDS,
    exists: ({ data }) => jwtRole(storage, data.name) !== undefined,
    operations: {
      read: ({ data }) => {
        const found = jwtRole(storage, data.name);
        if (found === undefined) return undefined;
        const { settings, token, oldNames } = found;
        return {
          data: { ...settings, ...describeTokenParams(token, server), ...underOldNames(token, oldNames) },
        };
      },
      create: save,
      update: save,
      delete: ({ data }) => jwtRoles(storage).delete(data.name),
    },
    help: { synopsis: 'Register an role with the backend.' },
  });
}

function settingsFrom(sent: Decoded<typeof FIELDS>, before: RoleSettings | undefined): RoleSettings {
  const { role_type, bound_claims_type } = sent;
  return {
    ...updated(before ?? NO_SETTINGS, sent),
    role_type: role_type === '' ? 'oidc' : role_type,
    bound_claims_type,
  };
}

function checkSettings(settings: RoleSettings, token: TokenParams): void {
  const { role_type, bound_claims, bound_claims_type, claim_mappings } = settings;
  if (role_type !== 'jwt' && role_type !== 'oidc') throw invalidRequest(`invalid 'role_type': ${role_type}`);
  if (bound_claims_type !== 'string' && bound_claims_type !== 'glob') {
    throw invalidRequest(`invalid 'bound_claims_type': ${bound_claims_type}`);
  }
  if (bound_claims_type === 'glob') Object.values(bound_claims ?? {}).forEach(checkGlob);
  checkMappings(Object.values(claim_mappings ?? {}));
  if (settings.user_claim === '') throw invalidRequest('a user claim must be defined on the role');
  if (role_type === 'oidc') {
    if ((settings.allowed_redirect_uris ?? []).length > 0) return;
    throw invalidRequest("'allowed_redirect_uris' must be set if 'role_type' is 'oidc' or unspecified.");
  }
  const bounds = [
    ...(settings.bound_audiences ?? []),
    ...Object.keys(bound_claims ?? {}),
    ...token.token_bound_cidrs,
  ];
  if (bounds.length === 0 && settings.bound_subject === '') {
    throw invalidRequest('must have at least one bound constraint when creating/updating a role');
  }
}

function checkGlob(value: Json): void {
  const values = asList(value);
  if (values === undefined) throw invalidRequest(`claim is not a string or list: ${JSON.stringify(value)}`);
  const bad = values.find((entry) => typeof entry !== 'string');
  if (bad !== undefined) throw invalidRequest(`claim is not a string: ${JSON.stringify(bad)}`);
}

function checkMappings(targets: readonly string[]): void {
  if (targets.includes('role')) {
    throw invalidRequest('metadata key "role" is reserved and may not be a mapping destination');
  }
  const seen = new Set<string>();
  const twice = targets.find((target) => seen.size === seen.add(target).size);
  if (twice !== undefined) throw invalidRequest(`multiple keys are mapped to metadata key "${twice}"`);
}
