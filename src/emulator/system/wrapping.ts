import { type LogicalRequest, type LogicalResponse, type Route, route } from '../core/backend';
import { invalidRequest, openRefusal } from '../core/errors';
import type { FieldSchemas } from '../core/input/field-schemas';
import type { ClusterParts } from '../core/request/parts';

const FIELDS = {
  token: {
    type: 'string',
    default: '',
    description: 'The wrapping token. Default: the token of the request.',
  },
} as const satisfies FieldSchemas;

type WrappingRequest = LogicalRequest<typeof FIELDS>;

export function wrappingRoutes({ wrapping }: ClusterParts): readonly Route[] {
  const wrappingToken = ({ data, clientToken }: WrappingRequest) => {
    const text = data.token || clientToken;
    if (text === undefined) throw openRefusal('wrappingTokenMissing');
    return wrapping.token(text);
  };
  const lookup = (request: WrappingRequest): LogicalResponse => {
    const { creationPath, createdAt, ttlSeconds } = wrapping.peek(wrappingToken(request));
    return { data: { creation_path: creationPath, creation_time: createdAt, creation_ttl: ttlSeconds } };
  };
  return [
    route({
      pattern: 'wrapping/wrap',
      arbitraryInput: true,
      operations: {
        update: ({ body, wrap }) => {
          if (wrap === undefined) throw invalidRequest('endpoint requires response wrapping to be used');
          // Only the server itself creates JWTs: callers must not create one with arbitrary
          // content.
          return { data: body, wrap: { ...wrap, format: 'token' } };
        },
      },
      help: { synopsis: 'Wraps any JSON.' },
    }),
    route({
      pattern: 'wrapping/lookup',
      fields: FIELDS,
      operations: { read: lookup, update: lookup },
      help: { synopsis: 'Reads the properties of a wrapping token, without using it up.' },
    }),
    route({
      pattern: 'wrapping/unwrap',
      fields: FIELDS,
      operations: {
        update: (request) => {
          const { body } = wrapping.open(wrappingToken(request));
          return { raw: { status: body === '' ? 204 : 200, contentType: 'application/json', body } };
        },
      },
      help: { synopsis: 'Unwraps a response, once.' },
    }),
    route({
      pattern: 'wrapping/rewrap',
      fields: FIELDS,
      operations: {
        update: (request) => {
          const { body, ttlSeconds, creationPath } = wrapping.open(wrappingToken(request));
          const origin = {
            namespace: request.namespace,
            path: creationPath,
            displayName: request.token?.displayName ?? '',
          };
          return { wrapped: wrapping.wrap(body, { ttlSeconds, format: 'token' }, origin) };
        },
      },
      help: { synopsis: 'Wraps a response again, under a new token with the same TTL.' },
    }),
  ];
}

export const WRAPPING_UNAUTHENTICATED_PATHS = ['wrapping/lookup'];
