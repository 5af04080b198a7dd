import { Defect } from '../defect';
import { Diagnostics } from '../author/diagnostics';
import type { Resource } from '../author/resource';
import { valueCodec } from '../wire/dynamic-value';
import type { DynamicValue } from '../wire/generated/tfplugin6';
import { parseExactJson } from '../wire/state-json';
import { Call, Deferral } from './call';
import { complete, type ObjectValue } from './content';
import { diagnosticMessages } from './diagnostics';
import type { Handler } from './handler';
import { identityType } from './identity';
import { shapeOf } from './shape';

/**
 * Upgrades a state. Terraform calls this for every object in the state, even if it needs no
 * upgrade.
 */
export const upgradeResourceState: Handler<'upgradeResourceState'> = async (server, request) => {
  const resource = server.resource(request.typeName);
  const json = request.rawState?.json ?? new Uint8Array(0);
  const isCurrent = request.version === (resource.schema.version ?? 0);
  if (isCurrent && !resource.upgrade?.[request.version]) {
    // Without an upgrade, the JSON is returned unchanged, which saves decoding and encoding it.
    return { upgradedState: { msgpack: new Uint8Array(0), json }, diagnostics: [] };
  }
  const call = new Call(server, { rpc: 'UpgradeResourceState', typeName: request.typeName });
  const upgradedState = await upgradeState(call, resource, request.version, json);
  return { upgradedState, diagnostics: diagnosticMessages(call.diagnostics.list, server.secrets) };
};

async function upgradeState(
  call: Call,
  { schema, upgrade }: Resource,
  version: number,
  json: Uint8Array,
): Promise<DynamicValue | undefined> {
  const upgradeFrom = upgrade?.[version];
  if (!upgradeFrom) {
    call.diagnostics.error(...cannotUpgrade('state', version, schema.version ?? 0));
    return undefined;
  }
  const { content, codec } = shapeOf(schema);
  const state = await call.run(() => upgradeFrom(parseExactJson(json) as ObjectValue, call));
  if (state === undefined || state instanceof Deferral) return undefined;
  return codec.encode(complete(content, state));
}

export const upgradeResourceIdentity: Handler<'upgradeResourceIdentity'> = async (server, request) => {
  const { identity } = server.resource(request.typeName);
  if (!identity) throw new Defect(`${request.typeName} has no identity`);
  const codec = valueCodec(identityType(identity));
  const current = identity.version ?? 0;
  const stored = parseExactJson(request.rawIdentity?.json ?? new Uint8Array(0)) as ObjectValue;
  const upgradeFrom =
    request.version === current ? (same: ObjectValue) => same : identity.upgrade?.[request.version];
  if (!upgradeFrom) {
    const diagnostics = new Diagnostics();
    diagnostics.error(...cannotUpgrade('identity', request.version, current));
    return { diagnostics: diagnosticMessages(diagnostics.list, server.secrets) };
  }
  return { upgradedIdentity: { identityData: codec.encode(upgradeFrom(stored)) }, diagnostics: [] };
};

function cannotUpgrade(
  what: 'state' | 'identity',
  from: number,
  to: number,
): [summary: string, detail: string] {
  const cure =
    from > to
      ? 'It was written by a newer version of the provider: use that version or a later one.'
      : 'It was written by a version of the provider that is too old: apply with a version in between first.';
  return [
    `Cannot read the stored ${what}`,
    `It has version ${from} of the schema, this provider has ${to}. ${cure}`,
  ];
}
