import { sql } from 'kysely'

import type { Database } from '../../database/connect.js'
import { anyContainsText, containsText } from '../../database/text.js'

/** So many branches, and so many tags, are read, each with one look into their index. */
const MOST_REFS = 20_000

interface FoundRef {
  ref: string
  tag: boolean
}

/**
 * Branches and tags with pipelines whose names contain the word, case-insensitive. Undefined if they are more than `most`,
 * or if the project has too many to read them all. The time depends on the number of refs, and not on that of pipelines.
 */
export async function refsWith(
  database: Database,
  { projectId, word, most }: { projectId: number; word: string; most: number },
): Promise<FoundRef[] | undefined> {
  const found: FoundRef[] = []
  for (const tag of [false, true]) {
    const of = sql`pipeline.project_id = ${projectId} and pipeline.tag = ${tag} and pipeline.merge_request_id is null`
    const { rows } = await sql<{ ref: string; place: number }>`
      with recursive found(ref, place) as (
        select (select ref from pipeline where ${of} order by ref limit 1), 1
        union all
        select (select ref from pipeline where ${of} and pipeline.ref > found.ref order by ref limit 1), place + 1
        from found where found.ref is not null and place <= ${MOST_REFS}
      )
      select ref, place from found
      where ref is not null and (place > ${MOST_REFS} or ${containsText(sql.ref('found.ref'), word)})
      limit ${most + 1 - found.length}`.execute(database)
    if (rows.some(({ place }) => place > MOST_REFS)) return undefined
    found.push(...rows.map(({ ref }) => ({ ref, tag })))
    if (found.length > most) return undefined
  }
  return found
}

/** Users whose name or username contains the word. */
export function usersWith(database: Database, word: string) {
  return database
    .selectFrom('user')
    .select('user.id')
    .where(({ ref }) => anyContainsText([ref('user.name'), ref('user.username')], word))
}
