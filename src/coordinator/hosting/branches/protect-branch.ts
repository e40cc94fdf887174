import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import type { ProtectOne } from './schema.js'

const MAINTAINER = 40
const DEVELOPER = 30

/** Protects one branch by its name, or changes its existing rule (API, E1). */
export async function protectOne(
  database: Database,
  project: Project,
  { branch, developers_can_push, developers_can_merge }: ProtectOne,
): Promise<void> {
  const levels = {
    push_access_level: developers_can_push ? DEVELOPER : MAINTAINER,
    merge_access_level: developers_can_merge ? DEVELOPER : MAINTAINER,
  }
  await database
    .insertInto('protected_ref')
    .values({ project_id: project.id, kind: 'branch', name: branch, ...levels, created_at: Date.now() })
    .onConflict((conflict) => conflict.columns(['project_id', 'kind', 'name']).doUpdateSet(levels))
    .execute()
}

/** Deletes the rule with exactly this name; wildcard rules that match the branch are kept. */
export async function unprotectOne(database: Database, project: Project, branch: string): Promise<void> {
  await database
    .deleteFrom('protected_ref')
    .where('project_id', '=', project.id)
    .where('kind', '=', 'branch')
    .where('name', '=', branch)
    .execute()
}
