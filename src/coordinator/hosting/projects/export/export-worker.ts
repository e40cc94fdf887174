import { randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { DamageError } from '../../../../lib/damage.js'
import type { Logger } from '../../../../lib/logger.js'
import { ClaimedWorker } from '../../../background/claimed-worker.js'
import { BlobTooLargeError } from '../../../ci/storage/errors.js'
import type { Database } from '../../../database/connect.js'
import { effectiveSettings } from '../../../database/stores/application-setting-store.js'
import { findProject } from '../store.js'
import { type ArchiveDeps, buildArchive } from './build-archive.js'
import { ExportError } from './export-error.js'
import {
  claimExport,
  deleteStaleKey,
  failExport,
  findExport,
  findWantedExports,
  finishExport,
  renewExportClaim,
  type WantedExport,
} from './export-store.js'

const MEGABYTE = 1024 * 1024

export interface ExportWorkerDeps extends ArchiveDeps {
  /** Folder for temporary files of running exports. */
  workFolder: string
  logger: Logger
}

/** Builds requested project archives, one at a time per project. */
export class ExportWorker extends ClaimedWorker<WantedExport> {
  constructor(deps: ExportWorkerDeps) {
    const { database, logger } = deps
    super({
      of: 'Exports',
      find: () => findWantedExports(database),
      claim: (wanted, until) => claimExport(database, wanted, until),
      renew: (wanted, until) => renewExportClaim(database, wanted, until),
      perform: (wanted, signal) => createArchive(deps, wanted, signal),
      abort: (wanted, error) => fail(deps, wanted, error),
      logger,
    })
  }
}

async function createArchive(
  deps: ExportWorkerDeps,
  wanted: WantedExport,
  signal: AbortSignal,
): Promise<void> {
  const { database, blobs } = deps
  const project = await findProject(database, wanted.project_id)
  if (!project) return // with it the request was deleted
  const folder = join(deps.workFolder, `export-${randomUUID()}`)
  const key = keyOf(wanted)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    const archive = await buildArchive(deps, project, wanted.description, folder, signal)
    const { size } = await blobs.write(key, archive, await maxBytes(database))
    if (await finishExport(database, wanted, { key, size })) await deleteReplaced(deps, wanted)
    else await deleteUnwanted(deps, wanted)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function maxBytes(database: Database): Promise<number> {
  const { max_export_size: megabytes } = await effectiveSettings(database, 'max_export_size')
  return megabytes === 0 ? Infinity : megabytes * MEGABYTE
}

/**
 * Blob key below the folder of the project. It is the same for each attempt, so a killed coordinator leaves
 * no unknown files.
 */
function keyOf({ project_id, requested_at }: WantedExport): string {
  return `projects/${project_id}/exports/${requested_at}.tar.gz`
}

async function deleteReplaced({ database, blobs }: ExportWorkerDeps, wanted: WantedExport): Promise<void> {
  const { blob_key: replaced } = wanted
  if (replaced === null) return
  await blobs.delete(replaced)
  await deleteStaleKey(database, wanted.id, replaced)
}

/** Deletes the archive if another worker has finished the export or the project was deleted. */
async function deleteUnwanted({ database, blobs }: ExportWorkerDeps, wanted: WantedExport): Promise<void> {
  const row = await findExport(database, wanted.project_id)
  const key = keyOf(wanted)
  if (row?.blob_key !== key) await blobs.delete(key)
}

async function fail(deps: ExportWorkerDeps, wanted: WantedExport, error: unknown): Promise<void> {
  const reason = reasonOf(error)
  await deps.blobs.delete(keyOf(wanted))
  await failExport(deps.database, wanted, reason.slice(0, 500))
}

function reasonOf(error: unknown): string {
  if (error instanceof DamageError) return error.shown
  const isKnown = error instanceof ExportError || error instanceof BlobTooLargeError
  return isKnown ? error.message : 'The project could not be exported'
}
