import { inTransaction } from '../../../database/transaction.js'
import type { EngineDeps } from '../engine-deps.js'
import { addBridgeTasks } from '../hierarchy/bridge-task-store.js'

/** Periodic task: ends trigger jobs whose pipeline was deleted while they waited for it. */
export async function followVanished(deps: EngineDeps): Promise<void> {
  const rows = await deps.database
    .selectFrom('job')
    .select('id')
    .where('kind', '=', 'bridge')
    .where('status', 'in', ['running', 'manual'])
    .where('started_at', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('downstream_pipeline')
            .select('pipeline_id')
            .whereRef('downstream_pipeline.upstream_job_id', '=', 'job.id'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('mirrored_pipeline')
            .select('pipeline_id')
            .whereRef('mirrored_pipeline.job_id', '=', 'job.id'),
        ),
      ),
    )
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0) await inTransaction(deps.database, (tx) => addBridgeTasks(deps, tx, 'follow', ids))
}
