import type { Database } from '../../../database/connect.js'
import { findLatestCommitStatuses } from '../commit-status-store.js'

/**
 * The mean coverage of the latest jobs and external statuses with a value, with two decimals; null if there
 * is none (CI language, 17.1).
 */
export async function coverageOfPipeline(database: Database, pipelineId: number): Promise<number | null> {
  const rows = await database
    .selectFrom('job')
    .select('coverage')
    .where('pipeline_id', '=', pipelineId)
    .where('retried', '=', false)
    .where('coverage', 'is not', null)
    .execute()
  const reported = await findLatestCommitStatuses(database, pipelineId)
  const values = [...rows, ...reported].flatMap(({ coverage }) => coverage ?? [])
  return roundedMean(
    values.reduce((sum, value) => sum + value, 0),
    values.length,
  )
}

/** With two decimals; null for the mean of nothing. */
export function roundedMean(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round((sum / count) * 100) / 100
}
