import type { Logger } from '../../../../lib/logger.js'
import { ClaimedWorker } from '../../../background/claimed-worker.js'
import {
  claimImport,
  deleteImport,
  failImport,
  findImport,
  findImports,
  finishImport,
  type Import,
  renewClaim,
} from '../import-store.js'
import { findProject } from '../store.js'
import { type FillDeps, fillRepository } from './fill-repository.js'
import { importArchive, type ImportArchiveDeps } from './import-archive.js'
import { ImportError } from './import-error.js'
import { replaceProject, type ReplaceProjectDeps } from './replace-project.js'

export interface ImportWorkerDeps extends FillDeps, ImportArchiveDeps, ReplaceProjectDeps {
  repositories: FillDeps['repositories'] & ImportArchiveDeps['repositories']
  logger: Logger
  /** Called when a repository is filled. */
  onFilled: (projectId: number) => void
}

/** Fills the repositories of forks and imports. */
export class ImportWorker extends ClaimedWorker<Import> {
  constructor(deps: ImportWorkerDeps) {
    const { database, logger } = deps
    super({
      of: 'Imports',
      find: () => findImports(database),
      claim: (wanted, until) => claimImport(database, wanted, until),
      renew: ({ id }, until) => renewClaim(database, id, until),
      perform: (wanted, signal) => perform(deps, wanted, signal),
      abort: (wanted, error) => fail(deps, wanted, error),
      logger,
    })
  }
}

async function perform(deps: ImportWorkerDeps, { id }: Import, signal: AbortSignal): Promise<void> {
  // The row may have changed since it was found: a previous worker may have made progress.
  const wanted = await findImport(deps.database, id)
  if (!wanted) return
  if (!wanted.settled) await fill(deps, wanted, signal)
  await deleteArchive(deps, wanted)
}

async function fill(deps: ImportWorkerDeps, wanted: Import, signal: AbortSignal): Promise<void> {
  if (wanted.archive_key === null) await fillRepository(deps, wanted, signal)
  else {
    await importArchive(deps, wanted, signal)
    await replaceProject(deps, wanted)
  }
  if (await finishImport(deps.database, wanted)) deps.onFilled(wanted.project_id)
  else await cleanUp(deps, wanted)
}

/** The project is kept, with an empty repository that accepts pushes. */
async function fail(deps: ImportWorkerDeps, wanted: Import, error: unknown): Promise<void> {
  await deps.repositories.create(wanted.project_id)
  const what =
    wanted.archive_key === null ? 'The repository could not be copied' : 'The archive could not be imported'
  const reason = error instanceof ImportError ? error.message : what
  if (!(await failImport(deps.database, wanted, reason.slice(0, 500)))) await cleanUp(deps, wanted)
  await deleteArchive(deps, wanted)
}

/** Deletes the archive file and the import, as the last step. */
async function deleteArchive(
  { database, blobs }: ImportWorkerDeps,
  { id, archive_key }: Import,
): Promise<void> {
  if (archive_key === null) return
  await blobs.delete(archive_key)
  await deleteImport(database, id)
}

/** If the project was deleted during the import, its new repository is deleted here. */
async function cleanUp({ database, repositories }: ImportWorkerDeps, { project_id }: Import): Promise<void> {
  if (!(await findProject(database, project_id))) await repositories.delete(project_id)
}
