import type { Selectable } from 'kysely'

import type { Database } from '../../../database/connect.js'
import { preparedRead } from '../../../database/prepared-read.js'
import type { Placeholder } from '../../../database/prepared-statement.js'
import type { DownstreamPipelineTable } from '../../../database/tables/downstream.js'
import type { PipelineRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import type { EventFacts } from '../../predefined-variables/event-facts.js'

export type DownstreamRow = Selectable<DownstreamPipelineTable>

interface OfPipeline extends Record<string, Placeholder<unknown>> {
  pipelineId: Placeholder<number>
}

const originOf = preparedRead((database, { pipelineId }: OfPipeline) =>
  database.selectFrom('downstream_pipeline').selectAll().where('pipeline_id', '=', pipelineId),
)

/** The origin of the pipeline; undefined unless a trigger job started it. */
export async function findOrigin(database: Database, pipelineId: number): Promise<DownstreamRow | undefined> {
  return (await originOf(database, { pipelineId }))[0]
}

/** The trigger job that started the pipeline, for `CI_UPSTREAM_*`; undefined without one. */
export async function findUpstream(
  database: Database,
  { id, source }: Pick<PipelineRow, 'id' | 'source'>,
): Promise<EventFacts['upstream']> {
  if (source !== 'pipeline' && source !== 'parent_pipeline') return undefined
  const origin = await findOrigin(database, id)
  return (
    origin && {
      pipelineId: origin.upstream_pipeline_id,
      projectId: origin.upstream_project_id,
      jobId: origin.upstream_job_id,
    }
  )
}

export async function insertOrigin(tx: Transaction, row: DownstreamRow): Promise<void> {
  await tx.insertInto('downstream_pipeline').values(row).execute()
}

/** The pipeline that the trigger job started last. */
export function findDownstream(database: Database, jobId: number): Promise<PipelineRow | undefined> {
  return database
    .selectFrom('downstream_pipeline')
    .innerJoin('pipeline', 'pipeline.id', 'downstream_pipeline.pipeline_id')
    .selectAll('pipeline')
    .where('upstream_job_id', '=', jobId)
    .orderBy('pipeline.id', 'desc')
    .executeTakeFirst()
}

export function findMirrored(database: Database, jobId: number): Promise<PipelineRow | undefined> {
  return database
    .selectFrom('mirrored_pipeline')
    .innerJoin('pipeline', 'pipeline.id', 'mirrored_pipeline.pipeline_id')
    .selectAll('pipeline')
    .where('job_id', '=', jobId)
    .executeTakeFirst()
}

/** A trigger job that runs again after it was skipped selects the latest pipeline again. */
export async function storeMirrored(tx: Transaction, jobId: number, pipelineId: number): Promise<void> {
  await tx.deleteFrom('mirrored_pipeline').where('job_id', '=', jobId).execute()
  await tx.insertInto('mirrored_pipeline').values({ job_id: jobId, pipeline_id: pipelineId }).execute()
}

const mirrorsOf = preparedRead((database, { pipelineId }: OfPipeline) =>
  database.selectFrom('mirrored_pipeline').select('job_id').where('pipeline_id', '=', pipelineId),
)

/** Trigger jobs that mirror the pipeline. */
export async function findMirrors(database: Database, pipelineId: number): Promise<number[]> {
  const rows = await mirrorsOf(database, { pipelineId })
  return rows.map(({ job_id }) => job_id)
}

/**
 * The downstream pipelines that are canceled with a pipeline or with one of its trigger jobs: child
 * pipelines, and pipelines of other projects that a trigger job waits for (CI language, 12.4). Includes ended
 * pipelines, because their own downstream pipelines may still run.
 */
export async function findCanceledWith(
  database: Database,
  above: { pipelineId: number } | { jobId: number },
): Promise<number[]> {
  const rows = await database
    .selectFrom('downstream_pipeline')
    .innerJoin('pipeline', 'pipeline.id', 'downstream_pipeline.pipeline_id')
    .select('pipeline.id')
    .where((eb) => eb.or([eb('kind', '=', 'child'), eb('strategy', 'is not', null)]))
    .$if('pipelineId' in above, (query) =>
      query.where('upstream_pipeline_id', '=', 'pipelineId' in above ? above.pipelineId : 0),
    )
    .$if('jobId' in above, (query) => query.where('upstream_job_id', '=', 'jobId' in above ? above.jobId : 0))
    .orderBy('pipeline.id')
    .execute()
  return rows.map(({ id }) => id)
}
