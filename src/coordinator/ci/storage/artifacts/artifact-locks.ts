import type { Selectable } from 'kysely'

import type { Database } from '../../../database/connect.js'
import { keyedRead } from '../../../database/keyed-read.js'
import type { Placeholder } from '../../../database/prepared-statement.js'
import { preparedWrite } from '../../../database/prepared-write.js'
import { effectiveSettings } from '../../../database/stores/application-setting-store.js'
import type { ArtifactLockTable } from '../../../database/tables/artifact-locks.js'
import type { Transaction } from '../../../database/transaction.js'

export type ArtifactLock = Selectable<ArtifactLockTable>

/** A pipeline that has ended; a pipeline row fits. */
interface EndedPipeline {
  id: number
  project_id: number
  ref: string
  tag: boolean
  source: string
}

/** Sources of child pipelines, and of pipelines without jobs, which have no artifacts to keep. */
const WITHOUT_LOCK = new Set(['parent_pipeline', 'external'])

/**
 * The latest successful pipeline of a branch or tag and its child pipelines keep their artifacts until a
 * newer one succeeds (CI language, 16.3). A project can disable this. Each ref has one row, so that a
 * transaction that holds a pipeline never waits for an older one.
 */
export async function lockArtifacts(tx: Transaction, pipeline: EndedPipeline): Promise<void> {
  const { id, project_id, ref, tag, source } = pipeline
  if (WITHOUT_LOCK.has(source) || !(await keepsLatest(tx, project_id))) return
  await setLock(tx, { project_id, ref, tag, pipeline_id: id })
}

type LockPlaceholders = { [Name in keyof ArtifactLock]: Placeholder<ArtifactLock[Name]> }

const setLock = preparedWrite((database, lock: LockPlaceholders) =>
  database
    .insertInto('artifact_lock')
    .values(lock)
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'ref', 'tag'])
        .doUpdateSet((row) => ({ pipeline_id: row.ref('excluded.pipeline_id') }))
        .whereRef('artifact_lock.pipeline_id', '<', 'excluded.pipeline_id'),
    ),
)

/** Unlocks the artifacts of a pipeline that is no longer successful. */
export async function unlockArtifacts(tx: Transaction, pipelineId: number): Promise<void> {
  await tx.deleteFrom('artifact_lock').where('pipeline_id', '=', pipelineId).execute()
}

/** Unlocks the artifacts of a project that disables keeping its latest artifacts. */
export async function unlockArtifactsOfProject(tx: Transaction, projectId: number): Promise<void> {
  await tx.deleteFrom('artifact_lock').where('project_id', '=', projectId).execute()
}

/** Locks that retain expired artifacts. */
export function findHoldingLocks(database: Database, now: number): Promise<ArtifactLock[]> {
  return database
    .selectFrom('artifact_lock')
    .selectAll()
    .where('pipeline_id', 'in', (query) =>
      query
        .selectFrom('job_artifact')
        .innerJoin('job', 'job.id', 'job_artifact.job_id')
        .leftJoin('downstream_pipeline as origin', 'origin.pipeline_id', 'job.pipeline_id')
        .select((eb) => eb.fn.coalesce('origin.root_id', 'job.pipeline_id').as('id'))
        .where('job_artifact.expire_at', '<=', now)
        .where('job_artifact.blob_key', '!=', ''),
    )
    .execute()
}

/** Unlocks the artifacts of a ref that no longer exists. */
export async function deleteLock(database: Database, lock: ArtifactLock): Promise<void> {
  await database
    .deleteFrom('artifact_lock')
    .where('project_id', '=', lock.project_id)
    .where('ref', '=', lock.ref)
    .where('tag', '=', lock.tag)
    .where('pipeline_id', '=', lock.pipeline_id)
    .execute()
}

const settingOfProject = keyedRead('id', (database) =>
  database.selectFrom('project').select(['id', 'keep_latest_artifact']),
)

async function keepsLatest(tx: Transaction, projectId: number): Promise<boolean> {
  const project = await settingOfProject(tx, projectId)
  if (!project?.keep_latest_artifact) return false
  return (await effectiveSettings(tx, 'keep_latest_artifact')).keep_latest_artifact
}
