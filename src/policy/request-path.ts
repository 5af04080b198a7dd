/** Returns the path of a request or a pattern without the beginning that it has in a URL. */
export function withoutVersion(path: string): string {
  return path.replace(/^\/(?:v1\/)?/, '');
}
