import { type Static, Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import type { NamespaceRow } from '../../database/stores/namespace-store.js'
import { described } from '../../http/parameters/described.js'
import { NullableText } from '../../http/parameters/types.js'
import { presentGroup } from './present.js'
import { namesAbove } from './store.js'

/** A group in the lists of a project. */
export const GroupBrief = Type.Object({
  id: described(Type.Integer(), 'ID of the group.'),
  name: described(Type.String(), 'Name of the group.'),
  avatar_url: described(NullableText, 'URL of the avatar; null if there is none.'),
  web_url: described(Type.String(), 'URL of the group page.'),
  full_name: described(Type.String(), 'Full name of the group, with the names of its parents.'),
  full_path: described(Type.String(), 'Full path of the group.'),
})
export type GroupBrief = Static<typeof GroupBrief>

export async function presentGroupBriefs(
  database: Database,
  rows: NamespaceRow[],
  externalUrl: string,
): Promise<GroupBrief[]> {
  const names = await namesAbove(database, rows)
  return rows.map((row) => {
    const { id, name, avatar_url, web_url, full_name, full_path } = presentGroup(row, names, externalUrl)
    return { id, name, avatar_url, web_url, full_name, full_path }
  })
}
