import type { Database } from '../../../database/connect.js'
import { setProjectColumns } from '../../../database/stores/project-store.js'
import { statisticsOf } from '../record/page-facts.js'

/** Projects that are read at once, so that the store serves others in between. */
const BATCH = 200

/** Periodic task: stores the sizes of projects that have changed, by which lists are ordered. */
export async function updateStorageSizes(
  database: Database,
  signal: AbortSignal,
  batch = BATCH,
): Promise<void> {
  for (let after = 0; !signal.aborted;) {
    const projects = await projectsAfter(database, after, batch)
    const statistics = await statisticsOf(database, new Map(projects.map((project) => [project.id, project])))
    for (const { id, storage_size: known } of projects) {
      const storage_size = statistics.get(id)?.storage_size ?? 0
      if (storage_size !== known) await setProjectColumns(database, id, { storage_size })
    }
    const last = projects.at(-1)
    if (!last || projects.length < batch) return
    after = last.id
  }
}

function projectsAfter(database: Database, after: number, limit: number) {
  return database
    .selectFrom('project')
    .leftJoin('project_measure as measure', 'measure.project_id', 'project.id')
    .leftJoin('wiki', 'wiki.project_id', 'project.id')
    .select(['project.id', 'project.storage_size', 'measure.commit_count', 'measure.repository_size'])
    .select('wiki.size as wiki_size')
    .where('project.id', '>', after)
    .orderBy('project.id')
    .limit(limit)
    .execute()
}
