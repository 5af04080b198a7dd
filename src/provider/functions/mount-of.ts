/** The mount of a path, if mounts have one segment. `undefined`: the path names none. */
export function mountOf(path: string): string | undefined {
  const [first = '', second = ''] = path.replace(/^\/+/, '').split('/');
  if (first === '') return undefined;
  if (first !== 'auth') return `${first}/`;
  return second === '' ? undefined : `auth/${second}/`;
}
