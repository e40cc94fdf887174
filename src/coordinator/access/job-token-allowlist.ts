import { sql } from 'kysely'

import type { Database } from '../database/connect.js'
import { preparedRead } from '../database/prepared-read.js'
import type { Placeholder } from '../database/prepared-statement.js'

/** The columns of a project that the job token check needs. */
interface ScopedProject {
  id: number
  job_token_scope_enabled: boolean
}

/** A type alias, not an interface, so that it is assignable to an index signature. */
type AllowlistQuery = {
  project: Placeholder<number>
  jobProject: Placeholder<number>
}

/** Finds the allowlist entry of a project for the project of a job, or for one of its ancestor groups. */
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
 * Whether a project accepts job tokens of another project. It accepts its own tokens, all tokens if the
 * allowlist is disabled, and otherwise those of listed projects and groups (CI language, 8.7,
 * `CI_JOB_TOKEN`). The permissions of such a job depend on the role of its user.
 */
export async function allowsJobTokensOf(
  database: Database,
  { id, job_token_scope_enabled: isLimited }: ScopedProject,
  jobProjectId: number,
): Promise<boolean> {
  if (id === jobProjectId || !isLimited) return true
  return (await entriesFor(database, { project: id, jobProject: jobProjectId })).length > 0
}
