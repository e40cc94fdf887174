import { type RawBuilder, sql, type SqlBool } from 'kysely'

import type { Database } from '../../database/connect.js'
import { dialectOf } from '../../database/dialect.js'
import { isTextInJson } from '../../database/json-rows.js'
import { anyContainsText, containsText } from '../../database/text.js'
import { fewIds } from '../../http/paging/few-ids.js'

/** Maximum number of branches, and of tags, that are read, each with one index lookup. */
const MAX_REFS = 20_000

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
    const { rows } = await sql<{ ref: string; rank: number }>`
      with recursive found(ref, rank) as (
        select (select ref from pipeline where ${of} order by ref limit 1), 1
        union all
        select (select ref from pipeline where ${of} and pipeline.ref > found.ref order by ref limit 1), rank + 1
        from found where found.ref is not null and rank <= ${MAX_REFS}
      )
      select ref, rank from found
      where ref is not null and (rank > ${MAX_REFS} or ${containsText(sql.ref('found.ref'), word)})
      limit ${most + 1 - found.length}`.execute(database)
    if (rows.some(({ rank }) => rank > MAX_REFS)) return undefined
    found.push(...rows.map(({ ref }) => ({ ref, tag })))
    if (found.length > most) return undefined
  }
  return found
}

/** Users whose name or username contains the word; undefined if they are more than a query should name. */
export function usersWith(database: Database, word: string): Promise<number[] | undefined> {
  return fewIds(namedUsers(database, word))
}

function namedUsers(database: Database, word: string) {
  return database
    .selectFrom('user')
    .select('user.id')
    .where(({ ref }) => anyContainsText([ref('user.name'), ref('user.username')], word))
}

/** The meaning of a word, other than a part of the pipeline itself. */
export interface WordMeaning {
  word: string
  /** Users whose names contain it; undefined if they are too many. */
  userIds: number[] | undefined
  /** JSON list of the commits whose title or author contains it. */
  shas: string
}

/** Whether a pipeline has the word in its ref, name or user, or is of one of the commits, or has its number. */
export function matchesWord(database: Database, { word, userIds, shas }: WordMeaning): RawBuilder<SqlBool> {
  const users = userIds ? sql`(${sql.join([0, ...userIds])})` : sql`(${namedUsers(database, word)})`
  const conditions = [
    containsText(sql.ref('pipeline.ref'), word),
    containsText(sql`coalesce(pipeline.name, '')`, word),
    sql`pipeline.user_id in ${users}`,
    isTextInJson(dialectOf(database), sql.ref('pipeline.sha'), sql.val(shas)),
    ...isNumbered(word),
  ]
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
}

/** Conditions that the word is the first digits of the SHA, or the ID. None if it can be neither. */
export function isNumbered(word: string): RawBuilder<SqlBool>[] {
  const digits = /^[\da-f]{4,40}$/i.test(word) ? word.toLowerCase() : undefined
  const id = /^#?(\d{1,15})$/.exec(word)?.[1]
  return [
    // `g` comes after each digit.
    ...(digits === undefined
      ? []
      : [sql<SqlBool>`(pipeline.sha >= ${digits} and pipeline.sha < ${`${digits}g`})`]),
    ...(id === undefined ? [] : [sql<SqlBool>`pipeline.id = ${Number(id)}`]),
  ]
}
