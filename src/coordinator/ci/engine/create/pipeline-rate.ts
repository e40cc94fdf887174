import { MINUTE } from '../../../../lib/time-units.js'
import type { Database } from '../../../database/connect.js'
import type { PipelineLimits } from '../pipeline-limits.js'
import { DANGLING_SOURCES, type PipelineSource } from '../pipeline-source.js'

/**
 * Failure reason of a pushed pipeline without jobs. Such pipelines are not counted, so that the limit ends
 * one minute after the last counted one.
 */
export const RATE_FAILURE = 'pipeline_rate_limit_exceeded'

export const RATE_MESSAGE = 'Too many pipelines created in the last minute. Try again later.'

/** The limit of pipelines per minute that a project has reached. */
export interface ReachedRate {
  limit: number
  /** When the next pipeline may be created, in milliseconds since 1970. */
  resetAt: number
}

/**
 * The reached limit of pipelines per minute; undefined = another one may be created. The pipelines are
 * counted in the store, so all coordinators share the limit. The result is exact if `database` is a
 * transaction that holds the lock of the project row.
 */
export async function reachedRate(
  database: Database,
  { pipelinesPerMinute: limit }: PipelineLimits,
  { project, source }: { project: { id: number }; source: PipelineSource },
  now = Date.now(),
): Promise<ReachedRate | undefined> {
  if (limit === 0 || DANGLING_SOURCES.includes(source)) return undefined
  const oldest = await database
    .selectFrom('pipeline')
    .select('created_at')
    .where('project_id', '=', project.id)
    .where('source', 'not in', [...DANGLING_SOURCES, 'external'])
    .where((eb) => eb.or([eb('failure_reason', 'is', null), eb('failure_reason', '!=', RATE_FAILURE)]))
    .orderBy('id', 'desc')
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst()
  if (!oldest || oldest.created_at <= now - MINUTE) return undefined
  return { limit, resetAt: oldest.created_at + MINUTE }
}
