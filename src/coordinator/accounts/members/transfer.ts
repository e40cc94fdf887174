import { Type } from 'typebox'

import { OWNER } from '../../access/access-levels.js'
import type { Database } from '../../database/connect.js'
import { inPages } from '../../database/in-pages.js'
import { type TransferPart, transferPart } from '../../http/archive-part.js'
import { notFound } from '../../http/errors.js'
import { text } from '../../http/parameters/described.js'
import { addMember, type MemberDeps } from './members.js'
import { AddMember } from './schema.js'
import { sourceOfProject } from './source.js'
import { findMember } from './store.js'

const Transferred = Type.Object({
  username: text('Username of the member.'),
  access_level: AddMember.properties.access_level,
  expires_at: AddMember.properties.expires_at,
})

/**
 * Import and export of direct members. Only an administrator can vouch that equal usernames on two servers
 * belong to the same person. So imports by other users add no members.
 */
export function memberPart(deps: MemberDeps): TransferPart {
  const { database } = deps
  return transferPart({
    name: 'members',
    schema: Transferred,
    read: ({ id }) => membersOf(database, id),
    identityOf: ({ username }) => username,
    write: async ({ project, importer }, { username, access_level, expires_at }) => {
      if (!importer.is_admin) return
      const source = sourceOfProject(project)
      const user = await findHuman(database, username)
      if (!user) throw notFound('User')
      if (await findMember(database, { source }, user.id)) return
      const actor = { user: importer, accessLevel: OWNER }
      await addMember(deps, source, String(user.id), { access_level, expires_at: expires_at ?? null }, actor)
    },
  })
}

async function* membersOf(database: Database, projectId: number) {
  const rows = inPages(
    database
      .selectFrom('member')
      .innerJoin('user', 'user.id', 'member.user_id')
      .select(['member.id', 'user.username', 'member.access_level', 'member.expires_at'])
      .where('member.project_id', '=', projectId)
      .where('user.kind', '=', 'human'),
    'member',
  )
  for await (const { username, access_level, expires_at } of rows) {
    const day = expires_at === null ? null : new Date(expires_at).toISOString().slice(0, 10)
    yield { username, access_level, expires_at: day }
  }
}

function findHuman(database: Database, username: string) {
  return database
    .selectFrom('user')
    .select('id')
    .where('username', '=', username)
    .where('kind', '=', 'human')
    .executeTakeFirst()
}
