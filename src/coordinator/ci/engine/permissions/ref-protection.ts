import { matchesRefPattern } from '../../../../git/ref-pattern.js'
import { DEVELOPER } from '../../../access/access-levels.js'
import type { Database } from '../../../database/connect.js'
import { rulesNaming } from '../../../database/named-in-rules.js'

/** The protection of one branch or tag by the rules of a project; undefined = no rule matches. */
export type RefProtection =
  | {
      /** Access levels that may push or merge; none = nobody may. */
      levels: number[]
    }
  | undefined

/**
 * The protection of a branch or tag, from rules with its name or a matching wildcard. One rule that allows an
 * access level suffices. Users that a rule names, directly or through a group, need only the developer role.
 */
export async function protectionOf(
  database: Database,
  projectId: number,
  kind: 'branch' | 'tag',
  name: string,
  userId?: number,
): Promise<RefProtection> {
  const rules = await database
    .selectFrom('protected_ref')
    .select(['id', 'name', 'push_access_level', 'merge_access_level'])
    .where('project_id', '=', projectId)
    .where('kind', '=', kind)
    .execute()
  const applying = rules.filter((rule) => matchesRefPattern(rule.name, name))
  if (applying.length === 0) return undefined
  const levels = applying.flatMap((rule) => [rule.push_access_level, rule.merge_access_level])
  const naming =
    userId === undefined
      ? undefined
      : await rulesNaming(database, { projectId, userId, actions: ['push', 'merge'] })
  const named = applying.some(({ id }) => naming?.has(id)) ? [DEVELOPER] : []
  return { levels: [...levels.filter((level) => level > 0), ...named] }
}
