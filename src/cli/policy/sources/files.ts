import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { namesBeside } from '../../../files';
import { namespacePrefix, POLICY_RESOURCE_TYPES } from '../../../model';
import type { Message } from '../../../model/messages';
import { ACL_EXTENSIONS, aclFilesIn } from '../../../policy/acl-files';
import { TERRAFORM_EXTENSIONS, terraformPolicies } from '../../../policy/terraform/terraform-policies';
import { readStandardInput, readTextFile } from '../../../policy/text-file';
import { nearestOf, visible } from '../../../text';
import { UserError } from '../../errors';
import { stacksIn, type Stack } from '../../stacks/stacks';
import { YAML_EXTENSIONS, yamlPolicies } from '../yaml/yaml-policies';
import { isInRevision, withRevision } from './git-revision';
import { mountKinds } from './mounts';
import type { AclPolicyText } from './policy-source';

const EXTENSIONS = [...ACL_EXTENSIONS, ...TERRAFORM_EXTENSIONS, ...YAML_EXTENSIONS];

const RESOURCE_TYPES = Object.entries(POLICY_RESOURCE_TYPES).flatMap(([type, kind]) =>
  kind === 'acl' ? [type] : [],
);

/**
 * Reads the policies of a file, of a folder and the folders below it, or of the stacks of an app.
 *
 * @param path a folder with a folder `stacks` is the output of an app; `-` is standard input;
 *   `main:policies` is a folder in a revision of Git.
 * @throws UserError if it does not exist, or contains no policy. An app may have none.
 */
export function policiesAt(path: string): readonly AclPolicyText[] {
  if (path === '-') {
    const place = 'stdin';
    return readable({ name: place, place, namespace: '' }, (stdin) => [
      { ...stdin, text: readStandardInput() },
    ]);
  }
  if (!existsSync(path) && isInRevision(path)) return policiesInRevision(path);
  if (!existsSync(path)) throw new UserError(missing(path));
  return policiesIn(path, path);
}

/** @param named the path for messages. */
function policiesIn(path: string, named: string): readonly AclPolicyText[] {
  const isFolder = statSync(path).isDirectory();
  if (!isFolder && extname(path) === '.sentinel') throw new UserError(sentinelPolicy(named));
  const stacks = isFolder ? stacksIn(path) : [];
  if (stacks.length > 0) return stacks.flatMap(policiesOfStack);
  const found = isFolder ? policiesOfFolder(path) : policiesOfFile(path);
  if (found.length > 0) return found;
  throw new UserError({
    summary: `${visible(named)} contains no ACL policy`,
    allowed: `files that end with ${EXTENSIONS.join(', ')}, or the stacks of a synthesized app`,
    cures: 'name another file or folder',
  });
}

/** Reads policies in a revision. Their places name the revision, and they have no file. */
function policiesInRevision(source: string): readonly AclPolicyText[] {
  return withRevision(source, (path) =>
    policiesIn(path, source).map(({ file, ...policy }) => ({
      ...policy,
      place: file === undefined ? policy.place : visible(join(source, relative(path, file))),
    })),
  );
}

function sentinelPolicy(path: string): Message {
  return {
    summary: `${visible(path)} is an RGP or EGP, and this command reads ACL policies`,
    cures: ['"policy check" checks it', '"policy eval" evaluates it for one request'],
  };
}

function missing(path: string): Message {
  const meant = nearestOf(basename(path), namesBeside(path));
  return {
    summary: `${visible(path)} does not exist`,
    details: `It was looked for at ${visible(resolve(path))}.`,
    cures: meant === undefined ? 'correct the path' : `write ${visible(join(dirname(path), meant))}`,
  };
}

function policiesOfFolder(path: string): readonly AclPolicyText[] {
  const found = aclFilesIn(path, EXTENSIONS).flatMap(policiesOfFile);
  // A policy that Terraform reads from a file is found twice. Terraform's configuration shows
  // whether it is a template, so the other one is left out.
  const isRead = new Set(
    found.flatMap(({ isTemplate, at, place }) => (isTemplate !== undefined && !at ? [place] : [])),
  );
  return found.filter(({ isTemplate, place }) => isTemplate !== undefined || !isRead.has(place));
}

function policiesOfFile(path: string): readonly AclPolicyText[] {
  const name = basename(path, extname(path)).toLowerCase();
  return readable({ name, place: visible(path), namespace: '', file: path }, (own) => {
    if (YAML_EXTENSIONS.includes(extname(path))) {
      return yamlPolicies(path).map((each) => ({ ...own, ...each, isTemplate: true }));
    }
    if (!TERRAFORM_EXTENSIONS.includes(extname(path))) return [{ ...own, text: readTextFile(path) }];
    return terraformPolicies(path)
      .filter(({ kind }) => kind === 'acl')
      .map(({ file, name: found, text, isTemplate, at }) => ({
        ...{ name: found, place: visible(file), namespace: '', file, text, isTemplate },
        ...(at && { at }),
      }));
  });
}

/** Reads policies. A file that cannot be read is returned as one policy with the reason. */
function readable<T extends Omit<AclPolicyText, 'text'>>(
  own: T,
  read: (own: T) => readonly AclPolicyText[],
): readonly AclPolicyText[] {
  try {
    return read(own);
  } catch (error) {
    return [{ ...own, text: '', unreadable: (error as Error).message }];
  }
}

function policiesOfStack({ name: stack, json: { resource = {} } }: Stack): readonly AclPolicyText[] {
  const mounts = mountKinds(
    Object.values(resource['vault_mount'] ?? {}).map((mount) => [mount['path'], mount] as const),
  );
  return RESOURCE_TYPES.flatMap((type) =>
    Object.entries(resource[type] ?? {}).flatMap(([id, { name, policy, namespace }]) => {
      if (typeof name !== 'string' || typeof policy !== 'string') return [];
      const place = visible(`${type}.${id} in stack ${stack}`);
      return [
        {
          name: name.toLowerCase(),
          place,
          namespace: namespacePrefix(typeof namespace === 'string' ? namespace : ''),
          text: policy,
          isTemplate: true,
          mounts,
        },
      ];
    }),
  );
}
