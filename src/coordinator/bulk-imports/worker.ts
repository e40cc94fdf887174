import { DAY } from '../../lib/time-units.js'
import { ClaimedWorker } from '../background/claimed-worker.js'
import { ImportGoneError } from './errors.js'
import { endEarly, importEntities } from './import-entities.js'
import type { BulkImportDeps } from './run.js'
import { type BulkImport, claimImport, openImports, renewClaim } from './store.js'

/** Imports groups and projects from other servers in the background. */
export class BulkImportWorker extends ClaimedWorker<BulkImport> {
  private readonly running: Map<number, AbortController>

  constructor(private readonly deps: BulkImportDeps) {
    const { database, logger } = deps
    const running = new Map<number, AbortController>()
    super({
      of: 'Imports of groups',
      find: () => openImports(database),
      claim: ({ id }, until) => claimImport(database, id, until),
      renew: ({ id }, until) => renewClaim(database, id, until),
      perform: async ({ id }, signal) => {
        const canceled = new AbortController()
        running.set(id, canceled)
        try {
          await importEntities(deps, id, AbortSignal.any([signal, canceled.signal]))
        } catch (error) {
          if (!(error instanceof ImportGoneError)) throw error
        } finally {
          running.delete(id)
        }
      },
      abort: async ({ id }) => {
        await endEarly(deps, id, 'failed', 'It failed on this server. Start it again to continue')
      },
      logger,
      maxDuration: DAY,
    })
    this.running = running
  }

  /**
   * Ends an import that has not ended; false if it has. Another coordinator that makes it stops after the page or repository
   * that it is reading.
   */
  async cancel(id: number): Promise<boolean> {
    const isCanceled = await endEarly(this.deps, id, 'canceled', 'The import was canceled')
    if (isCanceled) this.running.get(id)?.abort(new ImportGoneError())
    return isCanceled
  }
}
