import { matchesRefPattern } from '../../git/ref-pattern.js'
import type { Database } from '../database/connect.js'

/**
 * Whether an access level suffices to run jobs on a branch or tag. On a protected one they are trusted with its
 * variables, so that only those who may push or merge there may start them; any one rule that lets them suffices.
 */
export async function mayRunOnRef(
  database: Database,
  projectId: number,
  kind: 'branch' | 'tag',
  name: string,
  accessLevel: number,
): Promise<boolean> {
  const rules = await database
    .selectFrom('protected_ref')
    .select(['name', 'push_access_level', 'merge_access_level'])
    .where('project_id', '=', projectId)
    .where('kind', '=', kind)
    .execute()
  const applying = rules.filter((rule) => matchesRefPattern(rule.name, name))
  if (applying.length === 0) return true
  return applying.some(({ push_access_level, merge_access_level }) =>
    [push_access_level, merge_access_level].some((level) => level > 0 && accessLevel >= level),
  )
}
