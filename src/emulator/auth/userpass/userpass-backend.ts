import {
  route,
  type MountBackend,
  type LogicalResponse,
  type LoginLimits,
  type MountContext,
  type Route,
  type ServerFlavour,
  type TokenEntry,
} from '../../core/backend';
import { codedError, invalidRequest, permissionDenied } from '../../core/errors';
import type { Decoded } from '../../core/input/field-schemas';
import { cidrsAllow } from '../../core/primitives/cidr';
import { sanitizePolicies } from '../../core/stores/policy-store';
import { oldNamesInUse, OLD_TOKEN_FIELDS, underNewNames, underOldNames } from '../old-token-params';
import { describeTokenParams, loginLimits, TOKEN_FIELDS, tokenParams, tokenRequest } from '../token-params';
import { hashPassword, isPassword, Users, type User } from './users';

/** Creates the auth method for logins with a user name and a password. */
export function userpass({ storage, server }: MountContext): MountBackend {
  const users = new Users(storage);
  return {
    type: 'userpass',
    help: 'Authenticates users by name and password.',
    unauthenticatedPaths: ['login/*'],
    renewLogin: (token) => renewedLimits(users, token),
    loginName: (path) => path.slice('login/'.length).toLowerCase(),
    routes: [userList(users), user(users, server), password(users), policies(users), login(users)],
  };
}

const USERNAME = { type: 'string', path: true, description: 'Username for this user.' } as const;
const PASSWORD_FIELD = { type: 'string', description: 'Password for this user.' } as const;
const { policies: OLD_POLICIES, ttl, max_ttl, bound_cidrs } = OLD_TOKEN_FIELDS;
const USER_FIELDS = {
  ...TOKEN_FIELDS,
  username: USERNAME,
  password: PASSWORD_FIELD,
  policies: OLD_POLICIES,
  ttl,
  max_ttl,
  bound_cidrs,
} as const;

function userList(users: Users): Route {
  return route({
    pattern: 'users',
    operations: { list: () => ({ data: { keys: users.names() } }) },
    help: { synopsis: 'Manage users allowed to authenticate.' },
  });
}

function user(users: Users, server: ServerFlavour): Route {
  const save = async (sent: Decoded<typeof USER_FIELDS>, before?: User) => {
    const token = tokenParams(underNewNames(sent), before?.token);
    users.put(sent.username, {
      passwordHash:
        sent.password === undefined ? (before?.passwordHash ?? '') : await checkedHash(sent.password),
      token,
      oldNames: oldNamesInUse(sent, before?.oldNames),
    });
  };
  return route({
    pattern: 'users/:username',
    fields: USER_FIELDS,
    exists: ({ data }) => users.get(data.username) !== undefined,
    operations: {
      read: ({ data }) => {
        const found = users.get(data.username);
        if (found === undefined) return undefined;
        const { token, oldNames } = found;
        return { data: { ...describeTokenParams(token, server), ...underOldNames(token, oldNames) } };
      },
      create: ({ data }) => {
        if (!data.password) throw invalidRequest('missing password');
        return save(data);
      },
      update: ({ data }) => save(data, users.get(data.username)),
      delete: ({ data }) => users.delete(data.username),
    },
    help: { synopsis: 'Manage users allowed to authenticate.' },
  });
}

function password(users: Users): Route {
  return route({
    pattern: 'users/:username/password',
    fields: { username: USERNAME, password: PASSWORD_FIELD },
    operations: {
      update: async ({ data }) => {
        const found = existing(users, data.username);
        users.put(data.username, { ...found, passwordHash: await checkedHash(data.password) });
      },
    },
    help: { synopsis: "Reset user's password." },
  });
}

function policies(users: Users): Route {
  return route({
    pattern: 'users/:username/policies',
    fields: { username: USERNAME, token_policies: TOKEN_FIELDS.token_policies, policies: OLD_POLICIES },
    operations: {
      update: ({ data }) => {
        const found = existing(users, data.username);
        const { token_policies = found.token.token_policies } = underNewNames(data);
        users.put(data.username, {
          ...found,
          token: { ...found.token, token_policies },
          oldNames: oldNamesInUse(data, found.oldNames),
        });
      },
    },
    help: { synopsis: 'Update the policies associated with the username.' },
  });
}

function login(users: Users): Route {
  return route({
    pattern: 'login/:username',
    fields: { username: USERNAME, password: PASSWORD_FIELD },
    operations: {
      update: async ({ data, remoteAddress }): Promise<LogicalResponse> => {
        if (!data.password) throw codedError(500, 'missing password');
        const name = data.username.toLowerCase();
        const found = users.get(name);
        const isKnown = found !== undefined && found.passwordHash !== '';
        if (!isKnown || !(await isPassword(data.password, found.passwordHash))) {
          throw invalidRequest('invalid username or password');
        }
        if (!cidrsAllow(found.token.token_bound_cidrs, remoteAddress)) throw permissionDenied();
        const auth = tokenRequest(found.token, {
          name,
          displayName: name,
          metadata: { username: name },
          aliasMetadata: null,
        });
        return { auth };
      },
    },
    help: { synopsis: 'Log in with a username and password.' },
  });
}

function renewedLimits(users: Users, { metadata, policies }: TokenEntry): LoginLimits {
  const found = users.get(metadata?.['username'] ?? '');
  if (found === undefined) throw codedError(500, 'user does not exist any more');
  const { token } = found;
  const now = sanitizePolicies(token.token_policies, !token.token_no_default_policy);
  if (now.join() !== policies.join()) throw codedError(500, 'policies have changed, not renewing');
  return loginLimits(token);
}

function existing(users: Users, name: string): User {
  const found = users.get(name);
  if (found === undefined) throw codedError(500, 'username does not exist');
  return found;
}

async function checkedHash(text: string | undefined): Promise<string> {
  if (!text) throw invalidRequest('missing password');
  return hashPassword(text);
}
