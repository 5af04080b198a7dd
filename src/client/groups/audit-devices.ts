import {
  AUDIT_DEVICE,
  AUDIT_DEVICE_TYPES,
  decodeAuditDevice,
  encodeAuditDevice,
  type AuditDeviceValues,
} from '../../model';
import { isRecord } from '../../text';
import type { KeyList, VaultResponse } from '../answer/responses';
import { type CallOptions, callToDelete, callToRead, callToWrite } from '../call-options';
import type { Caller } from '../call/caller';
import { VaultError } from '../vault-error';

/** The fields of an audit device: those of every device, and those of its type. */
export type AuditDeviceFields = AuditDeviceValues;

/** An audit device as the server returns it. */
export type AuditDevice = AuditDeviceFields & {
  /** The path without a slash at the end. */
  readonly path: string;
};

/** The calls on audit devices. All of them require sudo. */
export class AuditDeviceCalls {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  /** Lists the paths of the devices. */
  async list(options?: CallOptions): Promise<VaultResponse<KeyList>> {
    const response = await this.readAll(options);
    return { ...response, data: { keys: response.data.map(({ path }) => path) } };
  }

  /** @returns `undefined` if there is no device at the path. */
  async read(path: string, options?: CallOptions): Promise<VaultResponse<AuditDevice> | undefined> {
    const checked = checkedPath(path);
    const response = await this.readAll(options);
    const device = response.data.find((each) => each.path === checked);
    return device && { ...response, data: device };
  }

  /** Reads all devices of known types. Servers have no call for a single device. */
  async readAll(options?: CallOptions): Promise<VaultResponse<readonly AuditDevice[]>> {
    const call = callToRead(AUDIT_DEVICE.path, options);
    const response = await this.#caller.find(call);
    if (!response) return { status: 404, requestId: '', data: [], warnings: [] };
    const { requestId, data } = response;
    // Without devices, the data of a server is empty; the answer of a proxy has no id of a request.
    if (requestId === '' && !Object.values(data).some(isRecord)) {
      throw this.#caller.misshapen(call, 'list of audit devices');
    }
    return { ...response, data: Object.entries(data).flatMap(decode) };
  }

  /** Enables a device. Fails if the path already has one. */
  async write(path: string, fields: AuditDeviceFields, options?: CallOptions): Promise<VaultResponse> {
    const at = `${AUDIT_DEVICE.path}/${checkedPath(path)}`;
    return this.#caller.send(callToWrite(at, encodeAuditDevice(fields), options, { publicBody: true }));
  }

  /** Disables a device. Succeeds if it does not exist. */
  async delete(path: string, options?: CallOptions): Promise<VaultResponse> {
    return this.#caller.send(callToDelete(`${AUDIT_DEVICE.path}/${checkedPath(path)}`, options));
  }
}

function decode([path, data]: [string, unknown]): readonly AuditDevice[] {
  if (!isRecord(data)) return [];
  const type = AUDIT_DEVICE_TYPES.find((known) => known === data.type);
  return type ? [{ ...decodeAuditDevice(data), type, path: withoutSlash(path) }] : [];
}

/** @throws VaultError `invalid_request` */
function checkedPath(path: string): string {
  if (path !== '' && path === withoutSlash(path) && !path.startsWith('/')) return path;
  throw new VaultError({
    code: 'invalid_request',
    message: `${JSON.stringify(path)} cannot be the path of an audit device: it is empty, or begins or ends with a slash`,
  });
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}
