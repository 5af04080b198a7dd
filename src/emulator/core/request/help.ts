import type { MountBackend, LogicalResponse, Route } from '../backend';

/** Returns the answer to `?help=1` for a route. */
export function routeHelp(route: Route, path: string): LogicalResponse {
  const { synopsis, description = '' } = route.help ?? { synopsis: 'There is no help for this path.' };
  const parameters = Object.entries(route.fields ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => `    ${name} (${field.type})\n        ${field.description ?? ''}`);
  return document([
    `Request:        ${path}`,
    `Matching Route: ${route.pattern}`,
    '',
    synopsis,
    ...(parameters.length > 0 ? ['', '## PARAMETERS', '', parameters.join('\n\n')] : []),
    ...(description !== '' ? ['', '## DESCRIPTION', '', description] : []),
  ]);
}

/** Returns the answer to `?help=1` for a whole mount. */
export function backendHelp(backend: MountBackend): LogicalResponse {
  const routes = [...backend.routes].sort((a, b) => (a.pattern < b.pattern ? -1 : 1));
  return document([
    '## DESCRIPTION',
    '',
    backend.help ?? `The ${backend.type} backend.`,
    '',
    '## PATHS',
    '',
    'The following paths are supported by this backend. To view help for any of the paths below, use the help command ' +
      'with any route matching the path pattern.',
    '',
    routes.map(({ pattern, help }) => `    ${pattern}\n        ${help?.synopsis ?? ''}`).join('\n\n'),
  ]);
}

function document(lines: readonly string[]): LogicalResponse {
  const body = JSON.stringify({ help: `${lines.join('\n')}\n`, see_also: null, openapi: null });
  return { raw: { status: 200, contentType: 'application/json', body } };
}
