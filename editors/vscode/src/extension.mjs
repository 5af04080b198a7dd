/** Starts the language server of policies for Visual Studio Code. */
import { workspace } from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { serverCommand } from './server-command.mjs';

const LANGUAGES = ['vault-policy', 'sentinel', 'hcl', 'terraform', 'opentofu'];

/** @type {LanguageClient | undefined} */
let client;

export async function activate() {
  const setting = workspace.getConfiguration('vaultPolicies').get('command', []);
  const folders = (workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const { command, args } = serverCommand(setting, folders);
  client = new LanguageClient(
    'vaultPolicies',
    'Vault policies',
    { command, args },
    { documentSelector: LANGUAGES.map((language) => ({ language, scheme: 'file' })) },
  );
  await client.start();
}

export async function deactivate() {
  await client?.stop();
}
