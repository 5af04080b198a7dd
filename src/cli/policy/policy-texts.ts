import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { POLICY_RESOURCE_TYPES } from '../../model';
import { visible } from '../../text';
import { UserError } from '../errors';
import { stacksIn } from '../stacks/stacks';

/** A policy, with what it is told by: its file, or its resource. */
export interface PolicyText {
  readonly name: string;
  readonly kind: 'acl' | 'sentinel';
  readonly text: string;
}

const KINDS = { '.sentinel': 'sentinel', '.hcl': 'acl' } as const;

/**
 * The policies that paths name: files, and in folders every `*.sentinel` and `*.hcl` that is not part of a test.
 *
 * @throws UserError for a path that does not exist, or that is neither.
 */
export function policyTexts(paths: readonly string[]): readonly PolicyText[] {
  return paths.flatMap(filesAt).map((path) => {
    const kind = kindOf(path);
    if (!kind)
      throw new UserError(
        `${visible(path)} is not a policy: its name must end in .sentinel (RGP, EGP) or .hcl (ACL)`,
      );
    return { name: path, kind, text: readFileSync(path, 'utf8') };
  });
}

function filesAt(path: string): readonly string[] {
  if (!existsSync(path)) throw new UserError(`${visible(path)} was not found`);
  return statSync(path).isDirectory() ? filesIn(path) : [path];
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return isSkipped(entry.name) ? [] : filesIn(path);
      return kindOf(path) && entry.name !== 'sentinel.hcl' ? [path] : [];
    });
}

function isSkipped(name: string): boolean {
  return name === 'test' || name === 'node_modules' || name === 'cdktf.out' || name.startsWith('.');
}

function kindOf(path: string): PolicyText['kind'] | undefined {
  return Object.entries(KINDS).find(([suffix]) => path.endsWith(suffix))?.[1];
}

/** The policies of synthesized stacks. Texts that are known only when Terraform runs are left out. */
export function policiesOfStacks(output: string): readonly PolicyText[] {
  return stacksIn(output).flatMap(({ name: stack, json }) =>
    Object.entries(POLICY_RESOURCE_TYPES).flatMap(([type, kind]) =>
      Object.entries(json.resource?.[type] ?? {}).flatMap(([name, { policy }]) => {
        if (typeof policy !== 'string' || /(?<!\$)\$\{/.test(policy)) return [];
        return [
          {
            name: `${stack}/${type}.${name}`,
            kind: kind === 'acl' ? kind : 'sentinel',
            text: policy.replaceAll('$${', '${'),
          },
        ];
      }),
    ),
  );
}
