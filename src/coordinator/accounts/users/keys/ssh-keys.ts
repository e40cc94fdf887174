import type { Insertable, Selectable } from 'kysely'

import type { User } from '../../../access/caller.js'
import type { Database } from '../../../database/connect.js'
import type { SshKeyTable } from '../../../database/tables/users.js'
import { inTransaction } from '../../../database/transaction.js'
import { isUniqueViolation } from '../../../database/unique-violation.js'
import { apiError, invalidRecord, notFound } from '../../../http/errors.js'
import { type Page, page, type Paging } from '../../../http/page.js'
import { listRows } from '../../../http/paging/list-rows.js'
import { isoTime, isoTimeOrNull } from '../../../http/presenters/present-time.js'
import { presentUser } from '../../../http/presenters/present-user.js'
import { emitKeyEvents } from '../../../integrations/webhooks/outbox/emit-key-events.js'
import { existingUser, type UserDeps } from '../users.js'
import { keyRestrictions, problemOfStrength } from './key-strength.js'
import { readSshKey } from './read-ssh-key.js'
import type { NewSshKey, SshKey, SshKeyWithUser } from './schema.js'

type SshKeyRow = Selectable<SshKeyTable>

/** Throws 400 for an invalid public key, and for one that is already taken. */
export async function addSshKey(database: Database, userId: number, wanted: NewSshKey): Promise<SshKey> {
  const read = readSshKey(wanted.key)
  if (!read) throw invalidRecord({ key: ['is invalid'] })
  const problem = problemOfStrength(read, await keyRestrictions(database))
  if (problem) throw invalidRecord({ key: [problem] })
  const expires_at = wanted.expires_at ? Date.parse(wanted.expires_at) : null
  if (expires_at !== null && expires_at <= Date.now()) throw invalidRecord({ expires_at: ['has expired'] })
  try {
    const row = await insertKey(database, {
      user_id: userId,
      title: wanted.title,
      key: wanted.key.trim(),
      fingerprint: read.fingerprint,
      fingerprint_sha256: read.fingerprintSha256,
      usage_type: wanted.usage_type ?? 'auth_and_signing',
      expires_at,
      created_at: Date.now(),
    })
    return present(row)
  } catch (error) {
    if (isUniqueViolation(error)) throw invalidRecord({ fingerprint_sha256: ['has already been taken'] })
    throw error
  }
}

function insertKey(database: Database, values: Insertable<SshKeyTable>): Promise<SshKeyRow> {
  return inTransaction(database, async (tx) => {
    const row = await tx.insertInto('ssh_key').values(values).returningAll().executeTakeFirstOrThrow()
    await emitKeyEvents(tx, 'key_create', [row])
    return row
  })
}

/** Comments are hidden from other users, because they often contain an e-mail address or a host name. */
export async function sshKeysOf(
  database: Database,
  userId: number,
  paging: Paging,
  { withComments }: { withComments: boolean },
): Promise<Page> {
  const matching = database.selectFrom('ssh_key').where('user_id', '=', userId)
  const order = { table: 'ssh_key', column: 'id', direction: 'asc' } as const
  const { rows, total } = await listRows(database, matching, paging, order)
  return page(
    rows.map((row) => (withComments ? present(row) : withoutComment(present(row)))),
    total,
  )
}

export async function sshKeyOf(
  database: Database,
  userId: number,
  id: number,
  { withComments }: { withComments: boolean },
): Promise<SshKey> {
  const row = await database
    .selectFrom('ssh_key')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('Key')
  return withComments ? present(row) : withoutComment(present(row))
}

export async function deleteSshKey(database: Database, userId: number, id: number): Promise<void> {
  await inTransaction(database, async (tx) => {
    const row = await tx
      .deleteFrom('ssh_key')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (!row) throw notFound('Key')
    await emitKeyEvents(tx, 'key_destroy', [row])
  })
}

/** A key of any user, for administrators. */
export async function anySshKey({ database, externalUrl }: UserDeps, id: number): Promise<SshKeyWithUser> {
  const row = await database.selectFrom('ssh_key').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound()
  return withUser(row, await existingUser(database, row.user_id), externalUrl)
}

/** As `anySshKey`, by fingerprint: `SHA256:` and base64, or MD5 in hexadecimal with colons. */
export async function sshKeyWithFingerprint(
  { database, externalUrl }: UserDeps,
  text: string,
): Promise<SshKeyWithUser> {
  const query = database.selectFrom('ssh_key').selectAll()
  const sha256 = /^SHA256:([A-Za-z0-9+/]{43})=?$/.exec(text)?.[1]
  const md5 = /^(?:MD5:)?((?:[0-9a-f]{2}:){15}[0-9a-f]{2})$/i.exec(text)?.[1]
  if (sha256 === undefined && md5 === undefined) throw apiError('ssh_fingerprint_invalid')
  const row = await (
    sha256 === undefined
      ? query.where('fingerprint', '=', (md5 ?? '').toLowerCase())
      : query.where('fingerprint_sha256', '=', sha256)
  ).executeTakeFirst()
  if (!row) throw notFound('Key')
  return withUser(row, await existingUser(database, row.user_id), externalUrl)
}

function withUser(row: SshKeyRow, user: User, externalUrl: string): SshKeyWithUser {
  return { ...present(row), user: presentUser(user, externalUrl) }
}

function present({ id, title, key, created_at, expires_at, last_used_at, usage_type }: SshKeyRow): SshKey {
  return {
    id,
    title,
    key,
    created_at: isoTime(created_at),
    expires_at: isoTimeOrNull(expires_at),
    last_used_at: isoTimeOrNull(last_used_at),
    usage_type,
  }
}

function withoutComment(record: SshKey): SshKey {
  return { ...record, key: readSshKey(record.key)?.key ?? record.key }
}
