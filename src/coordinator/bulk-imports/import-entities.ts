import { setProjectColumns } from '../database/stores/project-store.js'
import { inTransaction } from '../database/transaction.js'
import { findProject } from '../hosting/projects/store.js'
import { checkImporter } from './check-importer.js'
import { BulkImportError, ImportEndedError, ImportGoneError } from './errors.js'
import type { BulkImportDeps, EntityRun } from './run.js'
import { SourcePeople } from './source-people.js'
import { SourceClient } from './source/source-client.js'
import { stepsOf } from './steps/steps.js'
import {
  type BulkImport,
  type BulkImportEntity,
  endImport,
  entitiesOf,
  findEntity,
  findImport,
  nextEntity,
  updateEntity,
} from './store.js'

/** What all groups and projects of an import share. */
type Shared = Pick<EntityRun, 'deps' | 'bulkImport' | 'client' | 'people' | 'token' | 'signal'>

/**
 * Imports what remains of an import, one group or project after the other, and ends it. One that cannot be imported does not
 * stop the others. Throws `ImportGoneError` once the import was canceled.
 *
 *     created ──▶ started: step after step, each at a page of the source ──▶ finished, or failed
 */
export async function importEntities(deps: BulkImportDeps, id: number, signal: AbortSignal): Promise<void> {
  const bulkImport = await findImport(deps.database, id)
  if (!bulkImport || bulkImport.token_encrypted === null) throw new ImportGoneError()
  const shared = openSource(deps, bulkImport, bulkImport.token_encrypted, signal)
  try {
    for (
      let entity = await nextEntity(deps.database, id);
      entity;
      entity = await nextEntity(deps.database, id)
    ) {
      await importEntity(shared, entity)
    }
  } catch (error) {
    if (!(error instanceof ImportEndedError)) throw error
    await endEarly(deps, id, 'failed', error.message)
    return
  }
  await endImport(deps.database, id, { status: await finalStatus(deps, id) })
}

function openSource(
  deps: BulkImportDeps,
  bulkImport: BulkImport,
  encrypted: string,
  signal: AbortSignal,
): Shared {
  const { database, secrets, egress, retryDelay } = deps
  const token = secrets.decrypt(encrypted)
  const options = { egress, url: bulkImport.source_url, token, signal }
  const client = new SourceClient({ ...options, ...(retryDelay !== undefined && { retryDelay }) })
  return { deps, bulkImport, client, people: new SourcePeople(client, database), token, signal }
}

/** Throws errors that end the whole import, and those of this server, after which the worker tries again or gives up. */
async function importEntity(shared: Shared, entity: BulkImportEntity): Promise<void> {
  const { deps } = shared
  try {
    await makeSteps(shared, entity)
    await finishEntity(deps, entity, null)
  } catch (error) {
    if (error instanceof ImportEndedError || !(error instanceof BulkImportError)) throw error
    await finishEntity(deps, entity, error.message)
  }
}

async function makeSteps(shared: Shared, entity: BulkImportEntity): Promise<void> {
  const steps = stepsOf(entity)
  const begun = steps.findIndex(({ name }) => name === entity.step)
  const run = await openRun(shared, entity)
  for (const [index, step] of steps.entries()) {
    if (index < begun) continue
    const position = index === begun ? entity.position : null
    await run.checkpoint({ step: step.name, position })
    await step.run(run)
  }
}

async function openRun(shared: Shared, entity: BulkImportEntity): Promise<EntityRun> {
  const importer = await checkImporter(shared.deps.database, shared.bulkImport, entity)
  const run: EntityRun = { ...shared, entity, importer: importer.user, checkpoint }
  return run

  async function checkpoint(progress: Pick<BulkImportEntity, 'step' | 'position'>): Promise<void> {
    const { deps, bulkImport, signal } = shared
    signal.throwIfAborted()
    const { database } = deps
    if ((await findImport(database, bulkImport.id))?.finished_at !== null) throw new ImportGoneError()
    const stored = await updateEntity(database, entity.id, { ...progress, status: 'started' })
    if (!stored) throw new ImportGoneError()
    const { user, group, project } = await checkImporter(database, bulkImport, stored)
    Object.assign(run, { entity: stored, importer: user, group, project })
  }
}

async function finishEntity(
  deps: BulkImportDeps,
  { id, bulk_import_id }: BulkImportEntity,
  error: string | null,
) {
  const current = await findEntity(deps.database, bulk_import_id, id)
  if (current?.project_id) await endProject(deps, current.project_id, error)
  await updateEntity(deps.database, id, {
    status: error === null ? 'finished' : 'failed',
    error,
    position: null,
  })
}

/** A project that is being filled accepts pushes from now on, whatever has become of its repository. */
async function endProject(
  { database, repositories }: BulkImportDeps,
  id: number,
  error: string | null,
): Promise<void> {
  const project = await findProject(database, id)
  if (project?.import_status !== 'started') return
  await repositories.create(id)
  const status = error === null ? ('finished' as const) : ('failed' as const)
  await inTransaction(database, (tx) =>
    setProjectColumns(tx, id, { import_status: status, import_error: error }),
  )
}

/**
 * Ends an import before everything is imported; the projects that are being filled accept pushes from now on. False if it has
 * ended before. A worker that has it stops after its present page.
 */
export async function endEarly(
  deps: BulkImportDeps,
  id: number,
  status: 'failed' | 'canceled',
  error: string,
): Promise<boolean> {
  const entities = await entitiesOf(deps.database, id)
  if (!(await endImport(deps.database, id, { status, error }))) return false
  for (const { project_id, status: was } of entities) {
    if (project_id !== null && was === 'started') await endProject(deps, project_id, error)
  }
  return true
}

/** An import in which something could be imported has finished; what could not is reported with it. */
async function finalStatus({ database }: BulkImportDeps, id: number): Promise<'finished' | 'failed'> {
  const entities = await entitiesOf(database, id)
  return entities.some(({ status }) => status === 'finished') ? 'finished' : 'failed'
}
