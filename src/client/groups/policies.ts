import {
  ACL_POLICY,
  EGP_POLICY,
  fromProduct,
  policyTextForWrite,
  RGP_POLICY,
  toProduct,
  type AclPolicyValues,
  type EgpPolicyValues,
  type ObjectDefinition,
  type RgpPolicyValues,
  type Translation,
} from '../../model';
import { isRecord } from '../../text';
import { isList } from '../answer/answer';
import type { Data, KeyList, VaultResponse } from '../answer/responses';
import { type ClientCall, type CallOptions, callToDelete, callToRead, callToWrite } from '../call-options';
import type { Caller } from '../call/caller';
import { VaultError } from '../vault-error';
import { listKeys } from './names';

/** The fields of a write of an ACL policy, with the interface's names. */
export type AclPolicyFields = AclPolicyValues;
/** The fields of a write of an RGP policy. */
export type RgpPolicyFields = RgpPolicyValues;
/** The fields of a write of an EGP policy. */
export type EgpPolicyFields = EgpPolicyValues;

/** A policy as the server returns it. */
export type Named<F> = F & { readonly name: string };

/** The list of EGP policies, with the paths of each. */
export interface EgpPolicyList extends KeyList {
  /** The paths of each policy, if the server's value has a known form. */
  readonly name_path_map: Readonly<Record<string, readonly PolicyPath[]>>;
  /**
   * The server's unchanged value for each policy: some versions call this member `name_path_map`.
   */
  readonly key_info: Data;
}

/** A path that an EGP policy applies to. */
export interface PolicyPath {
  /** The path without the final `*` of a glob. */
  readonly path: string;
  readonly glob: boolean;
}

/** The calls on one kind of policy. */
export class PolicyCalls<F extends AclPolicyFields> {
  readonly #caller: Caller;
  readonly #definition: ObjectDefinition;
  readonly #fromServer: Translation;
  readonly #toServer: Translation;

  constructor(caller: Caller, definition: ObjectDefinition) {
    const { dialect } = caller.settings;
    this.#caller = caller;
    this.#definition = definition;
    this.#fromServer = toProduct(dialect, definition.name);
    this.#toServer = fromProduct(dialect, definition.name);
  }

  /** @returns `undefined` if the policy does not exist. */
  async read(name: string, options?: CallOptions): Promise<VaultResponse<Named<F>> | undefined> {
    const call = callToRead(this.#path(name), options);
    const response = await this.#caller.find(call);
    return response && { ...response, data: this.#decode(this.#fromServer.fields(response.data), call) };
  }

  /** Creates or replaces a policy. The server converts its name to lower case, with a warning. */
  async write(name: string, fields: F, options?: CallOptions): Promise<VaultResponse> {
    const body = this.#toServer.fields({ ...(fields as Data), policy: policyTextForWrite(fields.policy) });
    const facts = { publicBody: true, repeatable: true };
    return this.#caller.send(callToWrite(this.#path(name), body, options, facts));
  }

  /** Deletes a policy. Succeeds if it does not exist. */
  async delete(name: string, options?: CallOptions): Promise<VaultResponse> {
    return this.#caller.send(callToDelete(this.#path(name), options));
  }

  /** Lists the names. The root namespace's ACL list ends with `root`. */
  list(options?: CallOptions): Promise<VaultResponse<KeyList>> {
    return listKeys(this.#caller, this.#definition.path, options);
  }

  #path(name: string): string {
    const { path, title } = this.#definition;
    if (name !== '' && !name.endsWith('/')) return `${path}/${name}`;
    throw new VaultError({
      code: 'invalid_request',
      message: `${JSON.stringify(name)} cannot be the name of an ${title}: it is empty or ends with a slash`,
    });
  }

  /** Checks the fields of the definition, and leaves out those that newer servers add. */
  #decode(data: Data, call: ClientCall): Named<F> {
    const fields = Object.entries(this.#definition.fields).map(([name, { type }]) => {
      const value = data[name];
      const fits = type === 'string_set' ? isTextList(value) : typeof value === 'string';
      if (!fits) throw this.#caller.misshapen(call, `${this.#definition.title} with a ${name}`);
      return [name, value];
    });
    return Object.fromEntries(fields) as Named<F>;
  }
}

export class EgpPolicyCalls extends PolicyCalls<EgpPolicyFields> {
  override async list(options?: CallOptions): Promise<VaultResponse<EgpPolicyList>> {
    const response = await super.list(options);
    const { key_info = {} } = response.data;
    const paths = Object.entries(key_info).map(([name, value]) => [name, policyPaths(value)] as const);
    const name_path_map = Object.fromEntries(
      paths.filter((entry): entry is [string, PolicyPath[]] => !!entry[1]),
    );
    return { ...response, data: { keys: response.data.keys, key_info, name_path_map } };
  }
}

/** The policy calls of a client. */
export interface Policies {
  readonly acl: PolicyCalls<AclPolicyFields>;
  readonly rgp: PolicyCalls<RgpPolicyFields>;
  readonly egp: EgpPolicyCalls;
}

export function policiesOf(caller: Caller): Policies {
  return {
    acl: new PolicyCalls(caller, ACL_POLICY),
    rgp: new PolicyCalls(caller, RGP_POLICY),
    egp: new EgpPolicyCalls(caller, EGP_POLICY),
  };
}

/**
 * Returns paths from one value or several, each a text such as `secret/*` or an object `{path,
 * glob}`.
 */
function policyPaths(value: unknown): PolicyPath[] | undefined {
  const paths = (isList(value) ? value : [value]).map(policyPath);
  return paths.every((path) => path !== undefined) ? paths : undefined;
}

function policyPath(value: unknown): PolicyPath | undefined {
  if (typeof value === 'string') return { path: value.replace(/\*$/, ''), glob: value.endsWith('*') };
  if (!isRecord(value) || typeof value.path !== 'string') return undefined;
  return { path: value.path, glob: value.glob === true };
}

function isTextList(value: unknown): boolean {
  return isList(value) && value.every((each) => typeof each === 'string');
}
