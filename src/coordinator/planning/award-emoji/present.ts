import type { Database } from '../../database/connect.js'
import { notFound } from '../../http/errors.js'
import { type Page, page, type Paging } from '../../http/page.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { type Awarded, type AwardEmojiRow, listAwards } from '../stores/award-emoji-store.js'
import type { AwardEmoji } from './schema.js'

export interface AwardDeps {
  database: Database
  /** Public address without a trailing slash. */
  externalUrl: string
}

/** A page of the emoji of an object, the oldest first. */
export async function listedAwards(deps: AwardDeps, awarded: Awarded, paging: Paging): Promise<Page> {
  const { rows, total } = await listAwards(deps.database, awarded, paging)
  return page(await presentAwards(deps, rows), total)
}

/** The record of one emoji. Throws 404 if its user no longer exists. */
export async function oneAward(deps: AwardDeps, row: AwardEmojiRow): Promise<AwardEmoji> {
  const [record] = await presentAwards(deps, [row])
  if (!record) throw notFound()
  return record
}

/** Public records in the order of the rows, without those of users who no longer exist. */
async function presentAwards(
  { database, externalUrl }: AwardDeps,
  rows: readonly AwardEmojiRow[],
): Promise<AwardEmoji[]> {
  const users = await usersById(
    database,
    rows.map(({ user_id }) => user_id),
  )
  return rows.flatMap((row) => {
    const user = users.get(row.user_id)
    if (!user) return []
    return [
      {
        id: row.id,
        name: row.name,
        user: presentUser(user, externalUrl),
        created_at: isoTime(row.created_at),
        updated_at: isoTime(row.updated_at),
        ...awardedObject(row),
        url: null,
      },
    ]
  })
}

function awardedObject({ issue_id, merge_request_id, note_id, snippet_id }: AwardEmojiRow) {
  if (snippet_id !== null) return { awardable_id: snippet_id, awardable_type: 'Snippet' }
  if (note_id !== null) return { awardable_id: note_id, awardable_type: 'Note' }
  return issue_id === null
    ? { awardable_id: merge_request_id ?? 0, awardable_type: 'MergeRequest' }
    : { awardable_id: issue_id, awardable_type: 'Issue' }
}
