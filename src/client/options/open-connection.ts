import { Connection } from '../transport/connection';
import type { ClientOptions } from './client-options';
import { settingsOf, type Settings } from './client-settings';
import { loadTls } from './tls-files';

/**
 * Returns a connection for options. Connections are opened, and certificates read, on the first
 * request.
 */
export function openConnection(options: ClientOptions, settings: Settings = settingsOf(options)): Connection {
  const { dispatcher, tls = {} } = options;
  return new Connection({ ...settings, tls: () => loadTls(tls), dispatcher });
}
