import type { Database } from '../../database/connect.js'
import type { Repositories } from '../repositories/repositories.js'
import { sizeOf } from '../repositories/size-of.js'

/** Records that the project has a wiki. */
export async function insertWiki(database: Database, projectId: number): Promise<void> {
  await database
    .insertInto('wiki')
    .values({ project_id: projectId, head_sha: null, size: 0, updated_at: Date.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Records the size of the repository after a change. */
export async function measureWiki(
  database: Database,
  wikiRepositories: Repositories,
  projectId: number,
): Promise<void> {
  const size = await wikiRepositories.withSlot(projectId, 'inner', () =>
    sizeOf(wikiRepositories.path(projectId)),
  )
  await database
    .updateTable('wiki')
    .set({ size, updated_at: Date.now() })
    .where('project_id', '=', projectId)
    .execute()
}

/** Those of the projects that have a wiki. */
export async function projectsWithWiki(database: Database, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await database.selectFrom('wiki').select('project_id').where('project_id', 'in', ids).execute()
  return new Set(rows.map(({ project_id }) => project_id))
}
