import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../support/temporary-folder';
import { startStack, type Stack } from '../support';

let stack: Stack;
let folder: string;
beforeEach(async () => {
  folder = temporaryFolder('audit');
  stack = await startStack({ auditFolder: folder });
});
afterEach(() => stack.close());

const ADDRESS = 'vaultadmin_audit_device.it';
const logPath = (name = 'audit.log') => join(folder, name);
const device = (block: string, common = '') =>
  `resource "vaultadmin_audit_device" "it" {\n  path = "file"\n${common}\n${block}\n}\n`;
const file = (rest = '', name?: string) => `  file {\n    file_path = "${logPath(name)}"\n${rest}\n  }`;
const devices = async () => (await stack.ask('GET', 'sys/audit')).data;

test('a device is enabled, logs, and is disabled', async () => {
  stack.resources(device(file(), '  description = "for the shipper"'));
  expect((await stack.must('apply')).requests).toEqual(['GET sys/audit', 'POST sys/audit/file']);
  expect(await devices()).toEqual({
    'file/': {
      path: 'file/',
      type: 'file',
      description: 'for the shipper',
      options: { file_path: logPath() },
      local: false,
    },
  });
  expect(readFileSync(logPath(), 'utf8')).toContain('"path":"sys/audit"');
  expect((await stack.workspace.state())[ADDRESS]).toMatchObject({
    id: 'us//file',
    type: 'file',
    hmac_accessor: true,
    file: { file_path: logPath(), mode: '0600' },
    syslog: null,
  });
  expect((await stack.must('plan')).planned).toEqual({});

  await stack.must('destroy');
  expect(await devices()).toEqual({});
});

test('a changed description replaces the device, and so does another options block', async () => {
  stack.resources(device(file('    mode = "0640"')));
  await stack.must('apply');
  stack.resources(device(file('    mode = "0600"')));
  expect((await stack.must('apply')).planned).toEqual({ [ADDRESS]: 'replace' });
  stack.resources(device('  syslog {}', '  log_raw = false\n  local = true'));
  expect((await stack.must('apply')).planned).toEqual({ [ADDRESS]: 'replace' });
  expect(await devices()).toMatchObject({ 'file/': { type: 'syslog', options: {}, local: true } });
  expect((await stack.must('plan')).planned).toEqual({});
});

test('a device that was disabled by hand is enabled again, and a device that was changed by hand is replaced', async () => {
  stack.resources(device(file()));
  await stack.must('apply');
  await stack.ask('DELETE', 'sys/audit/file');
  expect((await stack.must('plan')).planned).toEqual({ [ADDRESS]: 'create' });
  await stack.ask('POST', 'sys/audit/file', {
    type: 'file',
    options: { file_path: logPath(), prefix: '@cee: ', hmac_accessor: 'TRUE' },
  });
  expect((await stack.must('plan')).planned).toEqual({ [ADDRESS]: 'replace' });
});

test('a create at the path of another device is refused, and its error names the import', async () => {
  const options = { file_path: logPath(), elide_list_responses: 'true' };
  await stack.ask('POST', 'sys/audit/file', { type: 'file', options });
  stack.resources(device(file()));
  const { errors } = await stack.run('apply');
  expect(errors).toEqual([
    expect.objectContaining({ summary: 'audit device "file" on cluster "us" already exists' }),
  ]);
  stack.resources(device(file(), '  elide_list_responses = true'));
  await stack.workspace.must('import', ADDRESS, 'file');
  expect((await stack.must('plan')).planned).toEqual({});
});

test('errors of audit devices name the attribute that is wrong', async () => {
  stack.resources(device('  file {\n    file_path = ""\n    mode = "rw"\n  }', '  format = "text"'));
  const { errors } = await stack.run('plan');
  expect(errors.map(({ summary, line }) => ({ summary, line }))).toEqual(
    expect.arrayContaining([
      { summary: 'audit device "file": format must be one of the allowed values', line: 'format = "text"' },
      { summary: 'audit device "file": file_path must not be empty', line: 'file_path = ""' },
      { summary: 'audit device "file": mode must be octal digits', line: 'mode = "rw"' },
    ]),
  );
  stack.resources(device('  file {\n    file_path = "a"\n  }\n  syslog {}'));
  expect((await stack.run('plan')).errors).toEqual([
    expect.objectContaining({ summary: 'audit device "file": type must come from one block' }),
  ]);
});

test('the data sources return one device, and the list of all devices', async () => {
  await stack.ask('POST', 'sys/audit/team/syslog', { type: 'syslog', options: { tag: 'audit' } });
  stack.resources(`
    data "vaultadmin_audit_device" "it" { path = "team/syslog" }
    data "vaultadmin_audit_devices" "all" {}
  `);
  await stack.must('apply');
  const state = await stack.workspace.state();
  expect(state['data.vaultadmin_audit_device.it']).toMatchObject({
    id: 'us//team/syslog',
    type: 'syslog',
    syslog: { facility: 'AUTH', tag: 'audit' },
    file: null,
  });
  expect(state['data.vaultadmin_audit_devices.all']).toMatchObject({ names: ['team/syslog'] });
});

test('a filter, a fallback and exclusions are options of a device, and an error names a version of Vault that lacks them', async () => {
  const common = `  filter = "mount_type == \\"kv\\""\n  fallback = true\n  exclude = jsonencode([{ fields = ["/request/data"] }])`;
  stack.resources(device('  syslog {}', common));
  const { errors, code } = await stack.run('apply');
  expect([code, errors]).toEqual([0, []]);
  expect(await devices()).toMatchObject({
    'file/': {
      options: {
        filter: 'mount_type == "kv"',
        fallback: 'true',
        exclude: '[{"fields":["/request/data"]}]',
      },
    },
  });
  expect((await stack.must('plan')).planned).toEqual({});

  await using older = await startStack({ serverVersion: '1.17.0+ent' });
  older.resources(device('  syslog {}', common));
  expect((await older.run('plan')).errors).toEqual([
    {
      summary: 'audit device "file": exclude requires Vault 1.18 or later',
      detail: expect.stringContaining('cluster "us", which runs 1.17.0+ent'),
      line: 'exclude = jsonencode([{ fields = ["/request/data"] }])',
    },
  ]);
});
