/** Causes every message on the page, and tries every cure on it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blocksOf, type Block } from './support/page';
import { expectPrinted, follow } from './support/reader';
import { Terminal } from './support/terminal';

const PAGE = 'docs/guides/troubleshooting.md';
const STACK = 'cdktf.out/stacks/policies';
const PLAN = `terraform -chdir=${STACK} plan`;

/** Returns the command that applies a configuration without an app. */
function other(configuration: string): string {
  return `cat > other/object.tf <<'END'\n${configuration}\nEND\nterraform -chdir=other apply`;
}

function policy(cluster: string, name: string, more = ''): string {
  const text = 'path "a" { capabilities = ["read"] }';
  return `resource "vaultadmin_acl_policy" "${name}" {
  cluster = "${cluster}"
  name    = "${name}"
  policy  = ${JSON.stringify(text)}
  ${more}
}`;
}

/**
 * By heading, the commands that print the messages under it, in order. They are run in the
 * project's folder.
 */
const DEEDS: Readonly<Record<string, readonly string[]>> = {
  '`terraform init` does not find the provider': [
    `rm -r ${STACK}/.terraform && terraform -chdir=${STACK} init`,
  ],
  'The checksum does not match': [
    `sed -i.old 's/h1:..../h1:AAAA/' ${STACK}/.terraform.lock.hcl && cd ${STACK} && rm -rf .terraform && terraform init`,
  ],
  'Node.js is missing': [
    `mkdir few && ln -s "$(command -v sh)" few && PATH="$PWD/few" "$(command -v terraform)" -chdir=${STACK} plan`,
  ],
  'Terraform is too old': [other('terraform {\n  required_version = ">= 99.0"\n}')],
  'The server cannot be reached': [`VAULT_ADDR=http://127.0.0.1:1 VAULT_MAX_RETRIES=0 ${PLAN}`],
  'The token is not valid, or lacks permission': [
    `VAULT_TOKEN=wrong ${PLAN}`,
    `unset VAULT_TOKEN && ${PLAN}`,
    `VAULT_TOKEN=$(curl --silent --header 'X-Vault-Token: root' --data '{"policies":["default"]}' \\
      $VAULT_ADDR/v1/auth/token/create | node -p 'JSON.parse(fs.readFileSync(0)).auth.client_token') ${PLAN}`,
  ],
  TLS: [
    `VAULT_ADDR=$TLS_ADDR ${PLAN}`,
    `VAULT_ADDR=https://\${VAULT_ADDR#http://} ${PLAN}`,
    `VAULT_ADDR=127.0.0.1:8200 ${PLAN}`,
  ],
  'The namespace does not exist': [`VAULT_NAMESPACE=team ${PLAN}`],
  'The dialect does not match': [
    `export VAULTADMIN_US_DIALECT=neutral
${other(`resource "vaultadmin_managed_key" "signing" {
  cluster = "us"
  name    = "signing"
  awskms {
    kms_key  = "alias/signing"
    key_type = "ECDSA"
    curve    = "P256"
  }
}`)}`,
  ],
  'The object already exists': [
    `curl --silent --header 'X-Vault-Token: root' --request PUT --data '{"policy":"path \\"a\\" {}"}' \\
  $VAULT_ADDR/v1/sys/policies/acl/monitoring
${other(policy('us', 'monitoring'))}`,
  ],
  'The state is locked': [
    `mkfifo hold
terraform -chdir=other console < hold &
exec 3> hold
until [ -e other/.terraform.tfstate.lock.info ]; do sleep 0.1; done
terraform -chdir=other plan || { exec 3>&-; wait; exit 1; }`,
  ],
  'A secondary refuses its token': [
    other(`resource "vaultadmin_perf_replication_set" "main" {
  primary     = "us"
  secondaries = { eu = { everything = true, confirm_data_loss = "eu" } }
}
${policy('eu', 'reports', 'depends_on = [vaultadmin_perf_replication_set.main]')}`),
  ],
};

let terminal: Terminal;
let project: string;

/** A project with a deployed policy, and a second configuration. */
beforeAll(async () => {
  terminal = new Terminal();
  const printed = await terminal.open(
    `node "$CHECKOUT/lib/src/cli/main.js" emulator --cluster us --cluster eu --root-token root --unavailable 0s`,
    'Ctrl-C stops them',
  );
  const [us, eu] = addresses(printed);
  const [tls] = addresses(
    await terminal.open(
      `node "$CHECKOUT/lib/src/cli/main.js" emulator --tls --root-token root`,
      'Ctrl-C stops them',
    ),
  );
  await terminal.must(`mkdir project && cd project && npm install cdktf-vault-admin typescript
export VAULT_ADDR=${us} VAULT_TOKEN=root TLS_ADDR=${tls}
export VAULTADMIN_US_ADDR=${us} VAULTADMIN_US_TOKEN=root VAULTADMIN_EU_ADDR=${eu} VAULTADMIN_EU_TOKEN=root`);
  project = terminal.folder;
  const [app] = blocksOf('README.md').filter(({ language }) => language === 'js');
  writeFileSync(join(project, 'main.ts'), app!.text);
  await terminal.must(`npx tsc && node main.js
(cd ${STACK} && terraform init && terraform apply)
mkdir other && cp -R ${STACK}/terraform.d other
cat > other/main.tf <<'END'
terraform {
  required_providers {
    vaultadmin = { source = "vault-admin.internal/cdktf/vaultadmin" }
  }
}
provider "vaultadmin" {
  clusters = { us = {}, eu = {} }
}
END
cd other && terraform init`);
});
afterAll(() => terminal.close());

test('every message on the page is caused by a test', () => {
  const shown = blocksOf(PAGE).filter(isMessage);
  const counts = Object.fromEntries(
    [...new Set(shown.map(({ heading }) => heading))].map((heading) => [
      heading,
      shown.filter((block) => block.heading === heading).length,
    ]),
  );
  expect(counts).toEqual(
    Object.fromEntries(Object.entries(DEEDS).map(([heading, { length }]) => [heading, length])),
  );
});

test.each(Object.keys(DEEDS))(
  'the commands print the messages on the page, and its cures work: %s',
  async (heading) => {
    const messages = blocksOf(PAGE).filter((block) => block.heading === heading && isMessage(block));
    for (const [index, deed] of DEEDS[heading]!.entries()) {
      await terminal.must(`cd "${project}"`);
      const { code, text } = await terminal.run(`(${deed}\n)`);
      expect({ code, text }).toEqual({ code: 1, text: expect.any(String) });
      expectPrinted(text, messages[index]!.text);
    }
    await terminal.must(`cd "${project}"`);
    await follow(PAGE, terminal, { passesOver: (block) => block.heading !== heading || isMessage(block) });
  },
);

test('the list of ignored files on the page does not ignore the lock files', async () => {
  await terminal.must(`cd "${project}" && git init --quiet && git add .`);
  const { text } = await terminal.run('git ls-files cdktf.out');
  expect(text).toBe(`${STACK}/.terraform.lock.hcl\n`);
});

test('the commands of the page show more details', async () => {
  await terminal.must(`cd "${project}"`);
  await follow(PAGE, terminal, { passesOver: ({ heading }) => heading !== 'Show more detail' });
});

test('every block of the page is under a heading that a test follows', () => {
  const headings = [...Object.keys(DEEDS), 'Show more detail'];
  expect(blocksOf(PAGE).filter(({ heading }) => !headings.includes(heading))).toEqual([]);
});

/** Whether a block shows an error, and not the output of a command on the page. */
function isMessage({ language, heading }: Block): boolean {
  return language === 'text' && heading !== 'Show more detail';
}

function addresses(printed: string): readonly string[] {
  return printed.match(/https?:\/\/127\.0\.0\.1:\d+/g) ?? [];
}
