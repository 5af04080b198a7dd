import type { ProviderDefinition } from '../wire/generated/tfplugin6';
import type { ProviderServer } from './provider-server';

type Methods = ProviderDefinition['methods'];
type MessageOf<T> = T extends { decode(bytes: Uint8Array): infer Message } ? Message : never;

/** The function that answers a call of the protocol. */
export type Handler<Name extends keyof Methods> = (
  server: ProviderServer,
  request: MessageOf<Methods[Name]['requestType']>,
) => Promise<MessageOf<Methods[Name]['responseType']>>;
