import { chunks } from '../../../../lib/chunks.js'
import type { Database } from '../../../database/connect.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'
import type { Transaction } from '../../../database/transaction.js'
import { IDS_PER_STATEMENT } from '../job-store.js'

/** Ids of the jobs by their delay in seconds. */
export async function findStartDelays(tx: Transaction, ids: number[]): Promise<Map<number, number[]>> {
  const delays = new Map<number, number[]>()
  for (const some of chunks(ids, IDS_PER_STATEMENT)) {
    const rows = await tx.selectFrom('job').select(['id', 'start_in']).where('id', 'in', some).execute()
    for (const { id, start_in } of rows) {
      const alike = delays.get(start_in ?? 0)
      if (alike) alike.push(id)
      else delays.set(start_in ?? 0, [id])
    }
  }
  return delays
}

export async function findPipelinesWithDueJobs(database: Database, now: number): Promise<number[]> {
  // With `distinct`, SQLite reads the jobs of all pipelines in the order of the pipelines.
  const rows = await database
    .selectFrom('job')
    .select('pipeline_id')
    .where('scheduled_at', '<=', now)
    .execute()
  return [...new Set(rows.map(({ pipeline_id }) => pipeline_id))]
}

export function findDueJobs(tx: Transaction, pipelineId: number, now: number): Promise<JobRow[]> {
  return tx
    .selectFrom('job')
    .selectAll()
    .where('pipeline_id', '=', pipelineId)
    .where('status', '=', 'scheduled')
    .where('scheduled_at', '<=', now)
    .orderBy('id')
    .execute()
}

/** Milliseconds since 1970; undefined if no delayed job is due after `now`. */
export async function findNextDueTime(database: Database, now: number): Promise<number | undefined> {
  const { next } = await database
    .selectFrom('job')
    .select((eb) => eb.fn.min('scheduled_at').as('next'))
    .where('scheduled_at', '>', now)
    .executeTakeFirstOrThrow()
  return next ?? undefined
}
