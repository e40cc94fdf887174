import type { Database } from '../../database/connect.js'
import { findNamespace } from './store.js'

/** Maximum number of numeric suffixes tried for a path that is taken. */
const MAX_TRIED = 100

/** Whether a user or a group has the path, with a suggestion for a free one (API, D). */
export async function existenceOf(
  database: Database,
  path: string,
  parentId: number | undefined,
): Promise<{ exists: boolean; suggests: string[] }> {
  const parent = parentId === undefined ? undefined : await findNamespace(database, String(parentId))
  const isParentMissing = parentId !== undefined && parent === undefined
  if (isParentMissing || !(await isTaken(path))) return { exists: false, suggests: [] }
  for (let number = 1; number <= MAX_TRIED; number += 1) {
    const other = `${path}${number}`
    if (!(await isTaken(other))) return { exists: true, suggests: [other] }
  }
  return { exists: true, suggests: [] }

  async function isTaken(last: string): Promise<boolean> {
    const fullPath = parent ? `${parent.full_path}/${last}` : last
    const row = await database
      .selectFrom('namespace')
      .select('id')
      .where(({ fn }) => fn('lower', ['full_path']), '=', fullPath.toLowerCase())
      .executeTakeFirst()
    return row !== undefined
  }
}
