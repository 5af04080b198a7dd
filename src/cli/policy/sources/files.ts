import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { POLICY_RESOURCE_TYPES } from '../../../model';
import { ACL_EXTENSIONS, aclFilesIn } from '../../../policy/acl-files';
import { visible } from '../../../text';
import { UserError } from '../../errors';
import { stacksIn, type Stack } from '../../stacks/stacks';
import { mountKinds } from './mounts';
import type { PolicyText } from './policy-source';

const RESOURCE_TYPES = Object.entries(POLICY_RESOURCE_TYPES).flatMap(([type, kind]) =>
  kind === 'acl' ? [type] : [],
);

/**
 * Reads the policies of a file, of a folder and the folders below it, or of the stacks of an app.
 *
 * @param path a folder with a folder `stacks` is one that an app was synthesized to.
 * @throws UserError if it does not exist, or holds no policy.
 */
export function policiesAt(path: string): readonly PolicyText[] {
  if (!existsSync(path)) throw new UserError(`${visible(path)} does not exist`);
  if (!statSync(path).isDirectory()) return [readPolicyFile(path)];
  const stacks = stacksIn(path);
  const found = stacks.length > 0 ? stacks.flatMap(policiesOfStack) : aclFilesIn(path).map(readPolicyFile);
  if (found.length > 0) return found;
  throw new UserError(
    `${visible(path)} contains no ACL policy\n` +
      `Expected: files that end with ${ACL_EXTENSIONS.join(', ')}, or the stacks of a synthesized app.`,
  );
}

function readPolicyFile(path: string): PolicyText {
  try {
    const name = basename(path, extname(path)).toLowerCase();
    return { name, place: visible(path), namespace: '', text: readFileSync(path, 'utf8') };
  } catch (error) {
    throw new UserError(visible(`${path} cannot be read: ${(error as Error).message}`));
  }
}

function policiesOfStack({ name: stack, json: { resource = {} } }: Stack): readonly PolicyText[] {
  const mounts = mountKinds(
    Object.values(resource['vault_mount'] ?? {}).map((mount) => [mount['path'], mount] as const),
  );
  return RESOURCE_TYPES.flatMap((type) =>
    Object.entries(resource[type] ?? {}).flatMap(([id, { name, policy, namespace }]) => {
      if (typeof name !== 'string' || typeof policy !== 'string') return [];
      const within = typeof namespace === 'string' ? `${namespace.replace(/^\/+|\/+$/g, '')}/` : '';
      const place = visible(`${type}.${id} in stack ${stack}`);
      return [
        { name: name.toLowerCase(), place, namespace: within === '/' ? '' : within, text: policy, mounts },
      ];
    }),
  );
}
