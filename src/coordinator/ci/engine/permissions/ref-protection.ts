import { matchesRefPattern } from '../../../../git/ref-pattern.js'
import type { Database } from '../../../database/connect.js'
import { rulesNaming } from '../../../database/named-in-rules.js'
import type { JobRow } from '../../../database/tables/pipeline-rows.js'

/** What the rules of a project say about one branch or tag; undefined = no rule applies to it. */
export type RefProtection =
  | {
      /** Each of these levels may push or merge there; none = nobody may. */
      levels: number[]
    }
  | undefined

/** What it takes besides being named in a rule. */
const DEVELOPER = 30

/**
 * The protection of a branch or tag, by its name or by a `*` in a rule; any one rule that lets a level in suffices. For a
 * user whom a rule names, by themselves or in a group, being a developer does.
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

/**
 * Whether a job that is started again still gets what is for protected refs alone. Its ref was protected when its pipeline
 * was created, and still must be: a user who may run jobs there only because it no longer is gets nothing of it.
 */
export async function isStillProtected(
  database: Database,
  { project_id, protected: wasProtected, ref, tag }: Pick<JobRow, 'project_id' | 'protected' | 'ref' | 'tag'>,
): Promise<boolean> {
  if (!wasProtected) return false
  return (await protectionOf(database, project_id, tag ? 'tag' : 'branch', ref)) !== undefined
}
