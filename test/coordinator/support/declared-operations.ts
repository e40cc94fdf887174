import type { Operation } from '../../../src/coordinator/http/operation.js'
import { readCoordinatorSettings } from '../../../src/coordinator/start/config/settings.js'
import { createServices } from '../../../src/coordinator/start/create-services.js'
import { listOperations } from '../../../src/coordinator/start/operations.js'
import { createLogger } from '../../../src/lib/logger.js'
import { openSqlite } from '../../support/databases.js'
import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'

/** Every operation that a coordinator serves, as it is declared. They are not for calling: their parts end with the test. */
export async function declaredOperations(): Promise<Operation[]> {
  const { settings } = await openSqlite()
  const directory = await tempDir()
  const parts = await createServices(
    { ...readCoordinatorSettings({ data_dir: directory }, {}), database: settings },
    createLogger('test', 'silent'),
    'http://switchyard.example',
  )
  onFinished(async () => {
    await parts.repositories.close()
    await parts.database.destroy()
  })
  return listOperations(parts, {
    externalUrl: 'http://switchyard.example',
    stopping: new AbortController().signal,
    findProject: async () => undefined,
    findUser: async () => undefined,
    projectAccessOf: async () => ({ membership: 0, ownsNamespace: false }),
  })
}
