import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { invalidRecord } from '../../http/errors.js'

/** Names and patterns of protected branches, in records of archives. */
export const BranchPatterns = Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 100 })

/** The IDs of protected branches of a project. Throws 400, which names those that the project does not have. */
export async function namedBranches(
  database: Database,
  projectId: number,
  names: readonly string[],
): Promise<number[]> {
  const wanted = [...new Set(names)]
  if (wanted.length === 0) return []
  const rows = await database
    .selectFrom('protected_ref')
    .select(['id', 'name'])
    .where('project_id', '=', projectId)
    .where('kind', '=', 'branch')
    .where('name', 'in', wanted)
    .execute()
  const unknown = wanted.filter((name) => !rows.some((row) => row.name === name))
  if (unknown.length > 0) {
    throw invalidRecord({
      protected_branches: [`${unknown.join(', ')} is no protected branch of the project`],
    })
  }
  return rows.map(({ id }) => id)
}
