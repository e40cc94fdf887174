import { BulkImportWorker } from '../../bulk-imports/worker.js'
import { transferParts } from './archive-parts.js'
import type { BaseServices } from './base.js'

/** Imports of groups from other servers. */
export interface BulkImportServices {
  bulkImports: BulkImportWorker
}

export function createBulkImportServices(sources: BaseServices): BulkImportServices {
  const { database, secrets, egress, repositories, statistics, logger } = sources
  return {
    bulkImports: new BulkImportWorker({
      database,
      secrets,
      egress,
      repositories,
      parts: transferParts(sources),
      logger,
      onFilled: (projectId) => statistics.record(projectId),
    }),
  }
}
