import { type Static, Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { described } from '../../http/parameters/described.js'
import { DateOnly, Nullable, NullableText, OneOf } from '../../http/parameters/types.js'
import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import { presentUser, PublicUser } from '../../http/presenters/present-user.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import type { EpicRow } from '../stores/epic-store.js'

/** API, F5. */
export const Epic = Type.Object({
  id: described(Type.Integer(), 'ID of the epic.'),
  iid: described(Type.Integer(), 'Number of the epic within its group.'),
  group_id: described(Type.Integer(), 'ID of the group.'),
  title: described(Type.String(), 'Title.'),
  description: described(NullableText, 'Description in Markdown; null if there is none.'),
  state: described(OneOf('opened', 'closed'), 'State.'),
  author: described(Nullable(PublicUser), 'Author.'),
  start_date: described(Nullable(DateOnly()), 'First day; null if there is none.'),
  due_date: described(Nullable(DateOnly()), 'Day on which it is due; null if there is none.'),
  created_at: described(Type.String(), 'Time of creation.'),
  updated_at: described(Type.String(), 'Time of the last change.'),
  closed_at: described(NullableText, 'Time at which it was closed; null for an open epic.'),
  web_url: described(Type.String(), 'URL of the epic page.'),
  references: described(
    Type.Object({
      short: described(Type.String(), 'Reference in texts of the group: `&3`.'),
      relative: described(Type.String(), 'Reference in texts of the group: `&3`.'),
      full: described(Type.String(), 'Reference in all texts: `group&3`.'),
    }),
    'References to the epic in texts.',
  ),
})
export type Epic = Static<typeof Epic>

/** Records of epics of one group, whose full path is `path`. */
export async function presentEpics(
  { database, externalUrl }: { database: Database; externalUrl: string },
  path: string,
  rows: readonly EpicRow[],
): Promise<Epic[]> {
  const users = await usersById(
    database,
    rows.map(({ author_id }) => author_id),
  )
  return rows.map((row) => {
    const author = users.get(row.author_id)
    return {
      id: row.id,
      iid: row.iid,
      group_id: row.group_id,
      title: row.title,
      description: row.description,
      state: row.state,
      start_date: row.start_date,
      due_date: row.due_date,
      author: author ? presentUser(author, externalUrl) : null,
      created_at: isoTime(row.created_at),
      updated_at: isoTime(row.updated_at),
      closed_at: isoTimeOrNull(row.closed_at),
      web_url: `${externalUrl}/groups/${path}/-/epics/${row.iid}`,
      references: { short: `&${row.iid}`, relative: `&${row.iid}`, full: `${path}&${row.iid}` },
    }
  })
}
