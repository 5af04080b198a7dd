import { Connection } from '../transport/connection';
import type { ClientOptions } from './client-options';
import { settingsOf, type Settings } from './settings';
import { loadTls } from './tls-files';

/** Returns the connections that options describe. They are made, and certificates read, on the first request. */
export function openConnection(options: ClientOptions, settings: Settings = settingsOf(options)): Connection {
  const { dispatcher, tls = {} } = options;
  return new Connection({ ...settings, tls: () => loadTls(tls), dispatcher });
}
