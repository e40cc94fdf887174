import type { Database } from '../../../database/connect.js'
import { withDescendants } from '../pipelines.js'
import {
  findDuePipelines,
  lastDueId,
  measureVolume,
  type RetentionLimits,
  type Volume,
} from './due-pipelines.js'

export interface DueInProject extends Volume {
  projectId: number
  path: string
  pipelines: number
}

/** Pipelines per read. */
const BATCH = 100

/** What `deleteOldPipelines` would delete now, of the projects in which it would delete something. */
export async function listDueOfProjects(
  database: Database,
  limits: RetentionLimits,
  now = Date.now(),
): Promise<DueInProject[]> {
  const projects = await database.selectFrom('project').select(['id', 'full_path']).orderBy('id').execute()
  const found: DueInProject[] = []
  for (const { id, full_path } of projects) {
    const last = await lastDueId(database, id, limits, now)
    if (last === null) continue
    const due = await sumUp(database, { projectId: id, path: full_path, last })
    if (due.pipelines > 0) found.push(due)
  }
  return found
}

async function sumUp(
  database: Database,
  { projectId, path, last }: { projectId: number; path: string; last: number },
): Promise<DueInProject> {
  const sum = { projectId, path, pipelines: 0, jobs: 0, logBytes: 0, artifacts: 0, artifactBytes: 0 }
  for (let after = 0; ;) {
    const roots = await findDuePipelines(database, projectId, { after, last, limit: BATCH })
    const lastRead = roots.at(-1)
    if (lastRead === undefined) return sum
    const ids: number[] = []
    for (const root of roots) ids.push(...(await withDescendants(database, root)).map(({ id }) => id))
    const volume = await measureVolume(database, ids)
    sum.pipelines += ids.length
    sum.jobs += volume.jobs
    sum.logBytes += volume.logBytes
    sum.artifacts += volume.artifacts
    sum.artifactBytes += volume.artifactBytes
    after = lastRead.id
  }
}
