import { type ExpressionBuilder, sql } from 'kysely'

import { DAY } from '../../../../lib/time-units.js'
import type { Database } from '../../../database/connect.js'
import type { Tables } from '../../../database/tables/database-tables.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import { STATUSES_AT_REST } from '../../engine/pipeline-store.js'

/** Pipelines that a project may keep; 0 = unlimited. */
export interface RetentionLimits {
  pipelineDays: number
  pipelineCount: number
}

/** A project with the age after which its own setting deletes its pipelines, in seconds; null = no such setting. */
export interface LimitedProject {
  id: number
  ci_delete_pipelines_in_seconds: number | null
}

/** Files of pipelines, and their numbers. */
export interface Volume {
  jobs: number
  logBytes: number
  artifacts: number
  artifactBytes: number
}

/** Projects after the ID `after` of which pipelines may be due, in order of their IDs. */
export function projectsWithLimits(
  database: Database,
  { pipelineDays, pipelineCount }: RetentionLimits,
  { after, limit }: { after: number; limit: number },
): Promise<LimitedProject[]> {
  const isLimited = pipelineDays > 0 || pipelineCount > 0
  return database
    .selectFrom('project')
    .select(['id', 'ci_delete_pipelines_in_seconds'])
    .where('id', '>', after)
    .$if(!isLimited, (query) => query.where('ci_delete_pipelines_in_seconds', 'is not', null))
    .orderBy('id')
    .limit(limit)
    .execute()
}

/**
 * ID up to which pipelines of the project are due: those before the first one that is young enough, and all but the
 * newest ones. IDs and times of creation have the same order. Null = none is due.
 */
export async function lastDueId(
  database: Database,
  { id, ci_delete_pipelines_in_seconds }: LimitedProject,
  { pipelineDays, pipelineCount }: RetentionLimits,
  now: number,
): Promise<number | null> {
  const ages = [pipelineDays * DAY, (ci_delete_pipelines_in_seconds ?? 0) * 1000].filter((age) => age > 0)
  const old = ages.length > 0 ? await lastBefore(database, id, now - Math.min(...ages)) : null
  const surplus = pipelineCount > 0 ? await newestBeyond(database, id, pipelineCount) : null
  return old === null || surplus === null ? (old ?? surplus) : Math.max(old, surplus)
}

/** Reads no more than the pipelines that are older. */
async function lastBefore(database: Database, projectId: number, time: number): Promise<number | null> {
  const young = await database
    .selectFrom('pipeline')
    .select('id')
    .where('project_id', '=', projectId)
    .where('created_at', '>=', time)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (young) return young.id - 1
  return newestBeyond(database, projectId, 0)
}

async function newestBeyond(database: Database, projectId: number, count: number): Promise<number | null> {
  const pipeline = await database
    .selectFrom('pipeline')
    .select('id')
    .where('project_id', '=', projectId)
    .where('source', '!=', 'parent_pipeline')
    .orderBy('id', 'desc')
    .limit(1)
    .offset(count)
    .executeTakeFirst()
  return pipeline?.id ?? null
}

/** Pipelines after the ID `after` that are due and may be deleted, the oldest first. Child pipelines are deleted with their parents. */
export function findDuePipelines(
  database: Database,
  projectId: number,
  { after, last, limit }: { after: number; last: number; limit: number },
): Promise<PipelineRow[]> {
  return database
    .selectFrom('pipeline')
    .selectAll('pipeline')
    .where('pipeline.project_id', '=', projectId)
    .where('pipeline.id', '>', after)
    .where('pipeline.id', '<=', last)
    .where('pipeline.source', '!=', 'parent_pipeline')
    .where('pipeline.status', 'in', STATUSES_AT_REST)
    .where((eb) =>
      eb.and([
        eb.not(holdsLatestArtifacts(eb)),
        eb.not(isLatestSuccess(eb)),
        eb.not(isDeployed(eb)),
        eb.not(hasReleased(eb)),
      ]),
    )
    .orderBy('pipeline.id')
    .limit(limit)
    .execute()
}

type OfPipeline = ExpressionBuilder<Tables, 'pipeline'>

/** Its artifacts, or those of its child pipelines, are the latest ones of a branch or tag (CI language, 16.3). */
function holdsLatestArtifacts({ exists, selectFrom, ref }: OfPipeline) {
  return exists(
    selectFrom('artifact_lock')
      .select('artifact_lock.pipeline_id')
      .where('artifact_lock.pipeline_id', '=', ref('pipeline.id'))
      .where((eb) =>
        eb.or([
          eb.exists(
            eb
              .selectFrom('job')
              .innerJoin('job_artifact', 'job_artifact.job_id', 'job.id')
              .select('job.id')
              .whereRef('job.pipeline_id', '=', 'artifact_lock.pipeline_id')
              .where('job_artifact.blob_key', '!=', ''),
          ),
          eb.exists(
            eb
              .selectFrom('downstream_pipeline')
              .innerJoin('job', 'job.pipeline_id', 'downstream_pipeline.pipeline_id')
              .innerJoin('job_artifact', 'job_artifact.job_id', 'job.id')
              .select('job.id')
              .whereRef('downstream_pipeline.root_id', '=', 'artifact_lock.pipeline_id')
              .where('job_artifact.blob_key', '!=', ''),
          ),
        ]),
      ),
  )
}

/** The latest successful pipeline of the default branch, or of a protected branch or tag. */
function isLatestSuccess({ eb, and, or, not, exists, selectFrom }: OfPipeline) {
  return and([
    eb('pipeline.status', '=', 'success'),
    or([
      eb('pipeline.protected', '=', sql<boolean>`true`),
      exists(
        selectFrom('project')
          .select('project.id')
          .whereRef('project.id', '=', 'pipeline.project_id')
          .whereRef('project.default_branch', '=', 'pipeline.ref'),
      ),
    ]),
    not(
      exists(
        selectFrom('pipeline as newer')
          .select('newer.id')
          .whereRef('newer.project_id', '=', 'pipeline.project_id')
          .whereRef('newer.ref', '=', 'pipeline.ref')
          .whereRef('newer.tag', '=', 'pipeline.tag')
          .where('newer.status', '=', 'success')
          .where('newer.source', '!=', 'parent_pipeline')
          .whereRef('newer.id', '>', 'pipeline.id'),
      ),
    ),
  ])
}

/** Its deployment is in an environment, and one of its jobs may stop it. */
function isDeployed({ exists, selectFrom }: OfPipeline) {
  return exists(
    selectFrom('job')
      .innerJoin('deployment', 'deployment.job_id', 'job.id')
      .innerJoin('environment', 'environment.id', 'deployment.environment_id')
      .select('job.id')
      .whereRef('job.pipeline_id', '=', 'pipeline.id')
      .where('deployment.status', '=', 'success')
      .where('environment.state', '!=', 'stopped')
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('deployment as newer')
              .select('newer.id')
              .whereRef('newer.environment_id', '=', 'deployment.environment_id')
              .where('newer.status', '=', 'success')
              .whereRef('newer.id', '>', 'deployment.id'),
          ),
        ),
      ),
  )
}

/** One of its jobs has created a release. */
function hasReleased({ exists, selectFrom }: OfPipeline) {
  return exists(
    selectFrom('job')
      .innerJoin('release', 'release.job_id', 'job.id')
      .select('job.id')
      .whereRef('job.pipeline_id', '=', 'pipeline.id'),
  )
}

/** What is deleted with the pipelines. */
export async function measureVolume(database: Database, pipelineIds: number[]): Promise<Volume> {
  const logs = await database
    .selectFrom('job')
    .select(({ fn }) => [
      fn.countAll<number | string>().as('jobs'),
      fn.sum<number | string | null>('trace_bytes').as('bytes'),
    ])
    .where('pipeline_id', 'in', pipelineIds)
    .executeTakeFirstOrThrow()
  const artifacts = await database
    .selectFrom('job_artifact')
    .innerJoin('job', 'job.id', 'job_artifact.job_id')
    .select(({ fn }) => [
      fn.countAll<number | string>().as('number'),
      fn.sum<number | string | null>('job_artifact.size').as('bytes'),
    ])
    .where('job.pipeline_id', 'in', pipelineIds)
    .where('job_artifact.blob_key', '!=', '')
    .executeTakeFirstOrThrow()
  return {
    jobs: Number(logs.jobs),
    logBytes: Number(logs.bytes ?? 0),
    artifacts: Number(artifacts.number),
    artifactBytes: Number(artifacts.bytes ?? 0),
  }
}
