import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { terraformPolicies } from '../../../src/policy/terraform/terraform-policies';
import { temporaryFolder } from '../../support/temporary-folder';
import { vaultAdmin } from '../support/cli';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('terraform-policies');
});

function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function found(text: string) {
  const file = write('main.tf', text);
  return terraformPolicies(file).map((policy) => ({
    ...policy,
    file: policy.file.slice(folder.length + 1),
    at: policy.at?.({ line: 2, column: 3 }),
  }));
}

/** The policy that the document in the test becomes. */
const DOCUMENT = {
  kind: 'acl',
  isTemplate: true,
  file: 'main.tf',
  text: `path "secret/data/*" {
  capabilities = ["read", "list"]
  required_parameters = ["path"]
  allowed_parameters = {
    "path" = ["x"]
    "*" = []
  }
  denied_parameters = {
    "owner" = ["a", "b"]
  }
  min_wrapping_ttl = "1s"
  max_wrapping_ttl = "90s"
}
# later
# than now
path "\${var.path}" {
  capabilities = \${capabilities}
}
`,
};

describe('policies in files of Terraform', () => {
  test('a heredoc is read without its indentation, under the name that the resource gives it', () => {
    expect(
      found(`
# resource "vault_policy" "comment" { policy = "path" }
resource "vault_policy" "app" {
  name      = "App"
  namespace = "team"
  policy    = <<-EOT
    # "quoted" {
    path "\${var.mount}/data/app" {
      capabilities = ["raed"]
    }
  EOT
}
`),
    ).toEqual([
      {
        name: 'app',
        kind: 'acl',
        text: '# "quoted" {\npath "${var.mount}/data/app" {\n  capabilities = ["raed"]\n}\n',
        isTemplate: true,
        file: 'main.tf',
        at: { line: 8, column: 7 },
        start: { line: 7, column: 5 },
      },
    ]);
  });

  test('a quoted text is read with its escapes', () => {
    expect(
      found(
        'resource "vaultadmin_acl_policy" "a" {\n  policy = "path \\"a\\" { capabilities = [\\"read\\"] }"\n}',
      ),
    ).toMatchObject([
      { name: 'a', kind: 'acl', text: 'path "a" { capabilities = ["read"] }', at: { line: 2, column: 12 } },
    ]);
  });

  test('policies in files that Terraform functions read are found', () => {
    write('policies/a.hcl', 'A');
    write('policies/b.tpl', 'B');
    expect(
      found(
        'resource "vault_policy" "a" { policy = file("${path.module}/policies/a.hcl") }\n' +
          'resource "vault_policy" "b" {\n  policy = templatefile("./policies/b.tpl", { name = "c.hcl" })\n}\n' +
          'resource "vault_policy" "c" { policy = file("policies/${each.key}.hcl") }\n' +
          'resource "vault_policy" "d" { policy = file("policies/missing.hcl") }\n',
      ),
    ).toEqual([
      { name: 'a', kind: 'acl', text: 'A', isTemplate: false, file: 'policies/a.hcl' },
      { name: 'b', kind: 'acl', text: 'B', isTemplate: true, file: 'policies/b.tpl' },
    ]);
  });

  test('heredocs outside of policy resources are read if they begin like a policy', () => {
    expect(
      found(
        'locals {\n  reader = <<EOF\n%{ for path in var.paths ~}\npath "${path}" { capabilities = ["read"] }\n%{ endfor ~}\nEOF\n' +
          '  script = <<EOF\nvault policy write a - <<EOT\npath "a" {}\nEOT\nEOF\n}\n' +
          'module "ops" {\n  policy = <<EOF\npath "b" { capabilities = ["read"] }\nEOF\n}\n',
      ).map(({ name }) => name),
    ).toEqual(['reader', 'ops']);
  });

  test('the rules of policy documents are read', () => {
    expect(
      found(`data "vault_policy_document" "kv" {
  rule {
    path         = "secret/data/*"
    capabilities = ["read", "list"]
    required_parameters = ["path"]
    allowed_parameter {
      key = "path"
      value = ["x"]
    }
    denied_parameter {
      key   = "owner"
      value = ["a", "b"]
    }
    allowed_parameter {
      key = "*"
    }
    min_wrapping_ttl = "1s"
    max_wrapping_ttl = "90s"
  }
  rule {
    description  = "later\\nthan now"
    path         = "\${var.path}"
    capabilities = var.capabilities
  }
}
resource "vault_policy" "readers" {
  name   = "Readers"
  policy = data.vault_policy_document.kv.hcl
}
resource "vault_policy" "copies" {
  policy = data.vault_policy_document.kv.hcl
  name   = "copy-\${var.env}"
}
data "vault_policy_document" "unused" {
  rule {
    path         = "a"
    capabilities = ["read"]
  }
}
output "text" { value = data.vault_policy_document.unused.hcl }
`),
    ).toEqual([
      { ...DOCUMENT, name: 'readers', at: { line: 4, column: 21 } },
      { ...DOCUMENT, name: 'copies', at: { line: 4, column: 21 } },
      {
        ...DOCUMENT,
        name: 'unused',
        text: 'path "a" {\n  capabilities = ["read"]\n}\n',
        at: { line: 37, column: 21 },
      },
    ]);
  });

  test('Sentinel policies are read, and the parts of a condition are not', () => {
    expect(
      found(
        'resource "vault_rgp_policy" "a" {\n  policy = <<EOT\nmain = rule { true }\nEOT\n}\n' +
          'resource "vault_policy" "b" {\n  policy = each.value["big"] ? file("big.hcl") : local.small\n}\n',
      ).map(({ name, kind }) => [name, kind]),
    ).toEqual([['a', 'sentinel']]);
  });

  test('the complete policies of a text that is not valid are read', () => {
    expect(found('resource "vault_policy" "a" { policy = <<EOT\npath "a" {\n')).toMatchObject([
      { text: 'path "a" {\n' },
    ]);
    expect(found('} } resource "vault_policy" "a" { policy = "x ${')).toMatchObject([{ name: 'a' }]);
  });
});

describe('policy commands on files of Terraform', () => {
  const policy = (...args: readonly string[]) => vaultAdmin(['policy', ...args], {}, folder);
  const MAIN = `resource "vault_policy" "app" {
  name   = "app-\${var.env}"
  policy = <<-EOT
    path "\${var.mount}/data/app" {
      capabilities = ["raed"]
    }
  EOT
}
resource "vault_policy" "ops" {
  policy = file("\${path.module}/ops.hcl")
}
`;

  test('lint and check give places in the file of Terraform, and files that it reads once', async () => {
    write('main.tf', MAIN);
    write('ops.hcl', 'path "sys/mount" { capabilities = ["read"] }\n');
    write('.terraform.lock.hcl', 'provider "x" {}\n');
    write('terragrunt.hcl', 'include {}\n');
    write('config.hcl', '# server\nstorage "raft" { path = "/data" }\n');
    expect(await policy('lint', '.')).toEqual({
      code: 1,
      stdout:
        'main.tf:5:23: error: path "${var.mount}/data/app": the server refuses the policy: invalid capability "raed" [refused]\n' +
        '    To do: write "read".\n' +
        'ops.hcl:1:6: error: path "sys/mount": the path "sys/mount" does not exist [unknown-system-path]\n' +
        '    To do: write "sys/mounts".\n' +
        '2 policies: 2 errors, 0 warnings, 0 notes\n',
      stderr: '',
    });
    const { code, stdout } = await policy('check');
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout:
        'main.tf:5:23: error: path "${var.mount}/data/app": invalid capability "raed"; to do: write "read" [acl-error]\n\n' +
        '2 policies checked, 1 error, 0 warnings\n',
    });
  });

  test('diff and can take expressions within quotes literally, and refuse others', async () => {
    const before =
      'resource "vault_policy" "app" {\n  policy = <<EOT\npath "${var.mount}/data/app" { capabilities = ["read"] }\nEOT\n}\n';
    write('old.tf', before);
    write('new.tf', before.replace('["read"]', '["read", "update"]'));
    write('late.tf', before.replace('["read"]', '${jsonencode(var.capabilities)}'));
    expect((await policy('diff', 'old.tf', 'new.tf')).stdout).toBe(
      '+ update  ${var.mount}/data/app\n' +
        '    for example update ${var.mount}/data/app\n' +
        '    decided by "${var.mount}/data/app", then by "${var.mount}/data/app"\n\n' +
        'By the rules of server version 1.21.0 (the default).\n',
    );
    const late = await policy('can', 'read', 'a', 'late.tf');
    expect(late.code).toBe(2);
    expect(late.stderr).toContain(
      'late.tf: the policy contains a Terraform expression outside of quotes, so its rules are not known before',
    );
    expect((await policy('lint', 'late.tf')).code).toBe(0);
  });
});
