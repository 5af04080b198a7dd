import { route, type MountContext, type Route } from '../../core/backend';
import { invalidRequest, permissionDenied } from '../../core/errors';
import { isJsonObject, parseJson, type JsonObject } from '../../core/primitives/json';
import { cidrsAllow } from '../../core/primitives/cidr';
import { own } from '../../../text';
import { tokenRequest } from '../token-params';
import { asList, checkBoundClaims, claim, mappedClaims } from './claims';
import { jwtConfig } from './config';
import { jwtRole, type RoleSettings } from './role';
import { checkedClaims } from './token-check';

/** Exchanges a signed JWT for a token of the server. */
export function loginRoute({ storage, clock }: MountContext): Route {
  return route({
    pattern: 'login',
    fields: {
      role: { type: 'lower_case_string', default: '', description: 'The role to log in against.' },
      jwt: { type: 'string', default: '', description: 'The signed JWT to validate.' },
    },
    operations: {
      update: async ({ data, remoteAddress }) => {
        const config = jwtConfig(storage);
        if (config === undefined) throw invalidRequest('could not load configuration');
        const roleName = data.role || config.default_role;
        if (roleName === '') throw invalidRequest('missing role');
        const role = jwtRole(storage, roleName);
        if (role === undefined) throw invalidRequest(`role "${roleName}" could not be found`);
        const { settings, token } = role;
        if (settings.role_type === 'oidc') throw invalidRequest('role with oidc role_type is not allowed');
        if (data.jwt === '') throw invalidRequest('missing token');
        if (!cidrsAllow(token.token_bound_cidrs, remoteAddress)) throw permissionDenied();

        const claims = await checkedClaims(data.jwt, config, settings, clock.now());
        const user = userName(settings, claims);
        const metadata = { ...mappedClaims(settings.claim_mappings, claims), role: roleName };
        const groups = groupNames(settings, claims);
        checkBoundClaims(settings, claims);
        return { auth: { ...tokenRequest(token, { displayName: user, metadata, name: user }), groups } };
      },
    },
    help: { synopsis: 'Authenticates to Vault using a JWT (or OIDC) token.' },
  });
}

function userName({ user_claim, user_claim_json_pointer }: RoleSettings, claims: JsonObject): string {
  const value = user_claim_json_pointer ? claim(claims, user_claim) : own(claims, user_claim);
  if (value === undefined || value === null) throw invalidRequest(`claim "${user_claim}" not found in token`);
  if (typeof value !== 'string')
    throw invalidRequest(`claim "${user_claim}" could not be converted to string`);
  return value;
}

/** Returns the name of the user that a login is for, from the unverified JWT. */
export function loginName({ storage }: MountContext, { role, jwt }: JsonObject): string | undefined {
  const roleName = typeof role === 'string' && role !== '' ? role : jwtConfig(storage)?.default_role;
  const settings = roleName === undefined ? undefined : jwtRole(storage, roleName.toLowerCase())?.settings;
  const [, payload = ''] = typeof jwt === 'string' ? jwt.split('.') : [];
  try {
    const claims = parseJson(Buffer.from(payload, 'base64url').toString());
    return settings && isJsonObject(claims) ? userName(settings, claims) : undefined;
  } catch {
    // The login reports the error.
    return undefined;
  }
}

function groupNames({ groups_claim }: RoleSettings, claims: JsonObject): readonly string[] {
  if (groups_claim === '') return [];
  const value = claim(claims, groups_claim);
  if (value === undefined || value === null) {
    throw invalidRequest(`failed to fetch groups: "${groups_claim}" claim not found in token`);
  }
  const groups = asList(value);
  if (groups === undefined) {
    throw invalidRequest(`"${groups_claim}" claim could not be converted to string list`);
  }
  const bad = groups.find((group) => typeof group !== 'string');
  if (bad !== undefined) {
    throw invalidRequest(`value ${JSON.stringify(bad)} in groups claim could not be parsed as string`);
  }
  return groups.map(String);
}
