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
  return meanOf([...rows, ...reported].flatMap(({ coverage }) => coverage ?? []))
}

function meanOf(values: number[]): number | null {
  if (values.length === 0) return null
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return Math.round(mean * 100) / 100
}
