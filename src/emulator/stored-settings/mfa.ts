import { TOTP_METHOD, type Field } from '../../model';
import { invalidRequest } from '../core/errors';
import { schemaOf } from '../core/input/model-input';
import { uuid } from '../core/primitives/identifiers';
import type { Json, JsonObject } from '../core/primitives/json';
import { isEmpty, OFF, type SettingScope, type StoredSetting, text, TEXT, TEXTS } from './setting';

interface Method {
  readonly fields: StoredSetting['fields'];
  /** Fields that the server shows under another name, or does not show. */
  readonly renamed?: Readonly<Record<string, string | undefined>>;
  readonly required: readonly string[];
  /**
   * Further fields that the server derives from the values.
   *
   * @throws LogicalError 400 for invalid values.
   */
  readonly derived?: (values: JsonObject) => JsonObject;
}

const HIDDEN = undefined;

const METHODS: Readonly<Record<string, Method>> = {
  duo: {
    fields: {
      secret_key: TEXT,
      integration_key: TEXT,
      api_hostname: TEXT,
      push_info: TEXT,
      use_passcode: OFF,
    },
    renamed: { push_info: 'pushinfo', secret_key: HIDDEN, integration_key: HIDDEN },
    required: ['secret_key', 'integration_key', 'api_hostname'],
  },
  okta: {
    fields: {
      org_name: TEXT,
      api_token: TEXT,
      base_url: { type: 'string', default: 'okta.com' },
      primary_email: OFF,
    },
    renamed: { api_token: HIDDEN },
    required: ['org_name', 'api_token'],
  },
  pingid: {
    fields: { settings_file_base64: TEXT },
    renamed: { settings_file_base64: HIDDEN },
    required: ['settings_file_base64'],
    derived: pingIdSettings,
  },
  totp: {
    fields: totpFields(),
    required: ['issuer'],
  },
};

/** MFA for logins, and the methods for single requests other than TOTP. */
export const MFA_SETTINGS: readonly StoredSetting[] = [
  ...Object.entries(METHODS).map(([type, method]): StoredSetting => ({
    ...methodSetting(type, method),
    mount: 'identity',
    what: `${type} methods for logins`,
    generatedName: 'method_id',
    shown: (values, id, place) => ({ ...shownMethod(type, method, values, place), id, name: '' }),
  })),
  {
    mount: 'identity',
    path: 'mfa/login-enforcement/:name',
    what: 'logins that require MFA',
    fields: {
      mfa_method_ids: TEXTS,
      auth_method_accessors: TEXTS,
      auth_method_types: TEXTS,
      identity_group_ids: TEXTS,
      identity_entity_ids: TEXTS,
    },
    check: ({ mfa_method_ids, ...who }) => {
      if (isEmpty(mfa_method_ids)) throw invalidRequest('missing method ids');
      if (Object.entries(who).every(([name, value]) => name === 'id' || isEmpty(value)))
        throw invalidRequest(
          'One of auth_method_accessors, auth_method_types, identity_group_ids, identity_entity_ids must be specified',
        );
    },
    generated: () => ({ id: uuid() }),
    shown: (values, name, place) => ({ ...values, ...namespaceIn(place), name }),
  },
  ...['duo', 'okta', 'pingid'].map((type): StoredSetting => {
    const setting = methodSetting(type, METHODS[type]!);
    return {
      ...setting,
      what: `${type} methods for single requests`,
      rootNamespaceOnly: true,
      enterpriseOnly: true,
      fields: { ...setting.fields, mount_accessor: TEXT },
      generated: () => ({ id: uuid() }),
      shown: (values, name) => ({ ...shownMethod(type, METHODS[type]!, values), name }),
    };
  }),
];

/**
 * Returns the fields of TOTP methods for logins: the same as of TOTP methods for single requests.
 */
function totpFields(): StoredSetting['fields'] {
  const fields = Object.entries<Field>(TOTP_METHOD.fields).filter(([, { identity }]) => identity !== true);
  return Object.fromEntries(
    fields.map(([name, field]) => [name, { ...schemaOf(field), default: field.default ?? '' }]),
  );
}

function methodSetting(type: string, { fields, required, derived }: Method) {
  return {
    path: `mfa/method/${type}/:name`,
    fields: type === 'totp' ? fields : { ...fields, username_format: TEXT },
    check: (values: JsonObject) => {
      const missing = required.find((name) => isEmpty(values[name]));
      if (missing !== undefined) throw invalidRequest(`missing ${missing}`);
      derived?.(values);
    },
  };
}

function shownMethod(
  type: string,
  { renamed = {}, derived }: Method,
  values: JsonObject,
  place?: SettingScope,
): JsonObject {
  const shown = Object.entries(values).flatMap(([name, value]): [string, Json][] => {
    const as = Object.hasOwn(renamed, name) ? renamed[name] : name;
    return as === HIDDEN ? [] : [[as, value]];
  });
  return {
    mount_accessor: '',
    ...Object.fromEntries(shown),
    ...derived?.(values),
    ...namespaceIn(place),
    type,
  };
}

function namespaceIn(place: SettingScope | undefined): JsonObject {
  return place === undefined
    ? {}
    : { namespace_id: place.namespace.id, namespace_path: place.namespace.path };
}

/**
 * Reads the settings file of PingID, with one `name=value` per line. Its token and key are not
 * returned.
 */
function pingIdSettings({ settings_file_base64 }: JsonObject): JsonObject {
  const file = Buffer.from(text(settings_file_base64), 'base64').toString('utf8');
  const values = new Map(
    file.split('\n').flatMap((line): [string, string][] => {
      const [, name, value] = /^(\w+)=(.*)$/.exec(line.trimEnd()) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value]];
    }),
  );
  const setting = (name: string) => {
    const value = values.get(name);
    if (value === undefined) throw invalidRequest(`the settings file of PingID has no ${name}`);
    return value;
  };
  return {
    use_signature: setting('use_signature') === 'true',
    ...Object.fromEntries(
      ['idp_url', 'org_alias', 'admin_url', 'authenticator_url'].map((name) => [name, setting(name)]),
    ),
  };
}
