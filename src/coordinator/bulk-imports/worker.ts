import { DAY } from '../../lib/time-units.js'
import { ClaimedWorker } from '../background/claimed-worker.js'
import { ImportGoneError } from './errors.js'
import { endEarly, importEntities } from './import-entities.js'
import type { BulkImportDeps } from './run.js'
import { type BulkImport, claimImport, openImports, renewClaim } from './store.js'

/** Imports groups and projects from other servers in the background. */
export class BulkImportWorker extends ClaimedWorker<BulkImport> {
  constructor(deps: BulkImportDeps) {
    const { database, logger } = deps
    super({
      of: 'Imports of groups',
      find: () => openImports(database),
      claim: ({ id }, until) => claimImport(database, id, until),
      renew: ({ id }, until) => renewClaim(database, id, until),
      perform: async (wanted, signal) => {
        try {
          await importEntities(deps, wanted.id, signal)
        } catch (error) {
          if (!(error instanceof ImportGoneError)) throw error
        }
      },
      abort: async ({ id }) => {
        await endEarly(deps, id, 'failed', 'It failed on this server. Start it again to continue')
      },
      logger,
      maxDuration: DAY,
    })
  }
}
