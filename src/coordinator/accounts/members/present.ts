import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { isoDateOrNull, isoTime } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import type { Member } from './schema.js'
import { type MemberRow } from './store.js'

/** Records of a page of members; e-mail addresses are shown to administrators only. */
export async function presentMembers(
  { database, externalUrl }: { database: Database; externalUrl: string },
  rows: MemberRow[],
  viewer: User | undefined,
): Promise<Member[]> {
  const makers = await usersById(
    database,
    rows.flatMap(({ created_by_id }) => created_by_id ?? []),
  )
  return rows.map((row) => {
    const maker = makers.get(row.created_by_id ?? 0)
    return {
      ...presentUser(row, externalUrl),
      access_level: row.access_level,
      expires_at: isoDateOrNull(row.expires_at),
      created_at: isoTime(row.joined_at),
      ...(maker ? { created_by: presentUser(maker, externalUrl) } : {}),
      membership_state: 'active',
      locked: false,
      ...(viewer?.is_admin ? { email: row.email } : {}),
    }
  })
}
