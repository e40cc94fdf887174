import { matchesRefPattern } from '../../git/ref-pattern.js'
import type { Database } from '../database/connect.js'

/** Whether a rule of the project protects this branch or tag, by its name or by a `*` in the rule. */
export async function isProtectedRef(
  database: Database,
  projectId: number,
  kind: 'branch' | 'tag',
  name: string,
): Promise<boolean> {
  const rules = await database
    .selectFrom('protected_ref')
    .select('name')
    .where('project_id', '=', projectId)
    .where('kind', '=', kind)
    .execute()
  return rules.some((rule) => matchesRefPattern(rule.name, name))
}
