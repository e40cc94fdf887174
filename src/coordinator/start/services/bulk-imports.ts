import { endEarly } from '../../bulk-imports/import-entities.js'
import type { BulkImportDeps } from '../../bulk-imports/run.js'
import { BulkImportWorker } from '../../bulk-imports/worker.js'
import { transferParts } from './archive-parts.js'
import type { BaseServices } from './base.js'

/** Imports of groups from other servers. */
export interface BulkImportServices {
  bulkImports: BulkImportWorker
  /** Ends an import that has not ended; false if it has. */
  cancelBulkImport: (id: number) => Promise<boolean>
}

export function createBulkImportServices(sources: BaseServices): BulkImportServices {
  const { database, secrets, egress, repositories, statistics, logger } = sources
  const deps: BulkImportDeps = {
    database,
    secrets,
    egress,
    repositories,
    parts: transferParts(sources),
    logger,
    onFilled: (projectId) => statistics.record(projectId),
  }
  return {
    bulkImports: new BulkImportWorker(deps),
    cancelBulkImport: (id) => endEarly(deps, id, 'canceled', 'The import was canceled'),
  }
}
