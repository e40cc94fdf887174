import { matchesRefPattern } from '../../../git/ref-pattern.js'
import { ACCESS_LEVELS } from '../../access/access-levels.js'
import type { Project, User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { rulesNaming } from '../../database/named-in-rules.js'

/**
 * Whether the user may merge into this branch (API, F4). Without a protection rule the developer role is
 * sufficient. Otherwise one rule must allow the user to merge or to push: who may push could merge elsewhere
 * and push the result.
 */
export async function mayMergeInto(
  database: Database,
  { project, user, accessLevel }: { project: Project; user: User; accessLevel: number },
  branch: string,
): Promise<boolean> {
  if (accessLevel < ACCESS_LEVELS.developer) return false
  const rules = await database
    .selectFrom('protected_ref')
    .select(['id', 'name', 'push_access_level', 'merge_access_level'])
    .where('project_id', '=', project.id)
    .where('kind', '=', 'branch')
    .execute()
  const applying = rules.filter(({ name }) => matchesRefPattern(name, branch))
  if (applying.length === 0) return true
  const levels = applying.flatMap((rule) => [rule.push_access_level, rule.merge_access_level])
  if (levels.some((level) => level > 0 && accessLevel >= level)) return true
  const naming = await rulesNaming(database, {
    projectId: project.id,
    userId: user.id,
    actions: ['push', 'merge'],
  })
  return applying.some(({ id }) => naming.has(id))
}
