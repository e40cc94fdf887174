import { OWNER } from '../../access/access-levels.js'
import type { User } from '../../access/caller.js'
import { highest, levelsInGroups, NO_LEVELS } from '../../access/membership-levels.js'
import type { Database } from '../../database/connect.js'
import type { NamespaceRow } from '../../database/stores/namespace-store.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { presentNamespace } from './present.js'
import type { Namespace } from './schema.js'
import { countMembersIn } from './store.js'

/** Records of a page of namespaces; owners also see the number of members. */
export async function describeNamespaces(
  { database, externalUrl }: { database: Database; externalUrl: string },
  rows: NamespaceRow[],
  viewer: User,
): Promise<Namespace[]> {
  const groups = rows.filter(({ kind }) => kind === 'group').map(({ id }) => id)
  const levels = await levelsInGroups(database, viewer.id, groups)
  const owned = groups.filter((id) => viewer.is_admin || highest(levels.get(id) ?? NO_LEVELS) >= OWNER)
  const owners = await usersById(
    database,
    rows.map(({ owner_id }) => owner_id),
  )
  const members = await countMembersIn(database, owned)
  return rows.map((row) => {
    const isOwned = row.kind === 'user' || owned.includes(row.id)
    return presentNamespace(row, externalUrl, {
      owner: owners.get(row.owner_id ?? 0),
      members: isOwned ? (members.get(row.id) ?? { members: 0, billable: 0 }) : undefined,
    })
  })
}
