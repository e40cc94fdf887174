import { sql } from 'kysely'

import type { Database } from '../database/connect.js'
import { type Placeholder, preparedRead } from '../database/prepared-read.js'

/** What says whose jobs a project lets in. */
interface ScopedProject {
  id: number
  job_token_scope_enabled: boolean
}

/** A type of its own, so that it has all the keys that holes may have. */
type AllowlistQuery = {
  project: Placeholder<number>
  jobProject: Placeholder<number>
}

/** Finds the entries by which one project lets in the jobs of another: of the very project, or of a group it lies in. */
const entriesFor = preparedRead((_database, { project, jobProject }: AllowlistQuery) => {
  return sql<{ found: number }>`
    select 1 as found from job_token_project
      where project_id = ${project} and allowed_project_id = ${jobProject}
    union all
    select 1 from project cross join group_tree cross join job_token_group
      where project.id = ${jobProject} and group_tree.group_id = project.namespace_id
        and job_token_group.project_id = ${project}
        and job_token_group.allowed_group_id = group_tree.ancestor_id
    limit 1`
})

/**
 * Whether a project lets in the jobs of another one with their tokens: its own always, everybody's where its scope is
 * switched off, else those of the projects and groups that it lists (CI language, 8.7, `CI_JOB_TOKEN`). What such a job
 * may do there is said by the role of its user.
 */
export async function allowsJobTokensOf(
  database: Database,
  { id, job_token_scope_enabled: isLimited }: ScopedProject,
  jobProjectId: number,
): Promise<boolean> {
  if (id === jobProjectId || !isLimited) return true
  return (await entriesFor(database, { project: id, jobProject: jobProjectId })).length > 0
}
