import { vi } from 'vitest'

import { insertAuditEvent } from '../../../../src/coordinator/accounts/audit-events/store.js'
import { syncDirectories } from '../../../../src/coordinator/sessions/providers/sync-directories.js'
import { createLogger } from '../../../../src/lib/logger.js'
import type { DirectoryScene } from './ldap-scene.js'

/** Runs the periodic task once. `onShutOut` is called with the users who were blocked. */
export async function sync({ database, services }: DirectoryScene, onShutOut = vi.fn()): Promise<void> {
  const deps = {
    database,
    providers: services.providers,
    logger: createLogger('silent'),
    storeAuditEvent: insertAuditEvent,
    onShutOut,
    mayGoOn: () => Promise.resolve(true),
  }
  await syncDirectories(deps, new AbortController().signal)
}
