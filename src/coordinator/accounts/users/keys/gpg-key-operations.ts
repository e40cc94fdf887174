import type { Selectable } from 'kysely'
import { Type } from 'typebox'

import type { Database } from '../../../database/connect.js'
import type { GpgKeyTable } from '../../../database/tables/users.js'
import { isUniqueViolation } from '../../../database/unique-violation.js'
import { invalidRecord, notFound } from '../../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../../http/operation.js'
import { isoTime } from '../../../http/presenters/present-time.js'
import { UserId } from '../record/schema.js'
import { existingUser } from '../users.js'
import { gpgFingerprint } from './read-gpg-key.js'
import { GpgKey, KeyId, KeyIdOfUser, NewGpgKey, NewGpgKeyOfUser } from './schema.js'

/** OpenPGP keys of users (API, H). */
export function gpgKeyOperations({ database }: { database: Database }): Operation[] {
  return [...ownKeys(database), ...keysOfUsers(database)]
}

function ownKeys(database: Database): Operation[] {
  return [
    operation('GET /user/gpg_keys', {
      summary: 'List GPG keys of the current user',
      access: 'user',
      scopes: ['read_user'],
      responses: { 200: Type.Array(GpgKey) },
      run: async ({ user }) => listKeys(database, user.id),
    }),
    operation('GET /user/gpg_keys/:key_id', {
      summary: 'Get a GPG key of the current user',
      access: 'user',
      scopes: ['read_user'],
      params: KeyId,
      responses: { 200: GpgKey },
      run: async ({ user, params }) => getKey(database, user.id, params.key_id),
    }),
    operation('POST /user/gpg_keys', {
      summary: 'Add a GPG key for the current user',
      access: 'user',
      params: NewGpgKey,
      responses: { 201: GpgKey },
      run: async ({ user, params }) => addKey(database, user.id, params.key),
    }),
    operation('POST /user/gpg_keys/:key_id/revoke', {
      summary: 'Revoke a GPG key of the current user',
      access: 'user',
      params: KeyId,
      responses: { 202: NoBody },
      run: async ({ user, params }) => {
        await deleteKey(database, user.id, params.key_id)
        return respond(202)
      },
    }),
    operation('DELETE /user/gpg_keys/:key_id', {
      summary: 'Delete a GPG key of the current user',
      access: 'user',
      params: KeyId,
      responses: { 204: NoBody },
      run: async ({ user, params }) => {
        await deleteKey(database, user.id, params.key_id)
        return respond(204)
      },
    }),
  ]
}

function keysOfUsers(database: Database): Operation[] {
  return [
    operation('GET /users/:id/gpg_keys', {
      summary: 'List GPG keys of a user',
      access: 'anyone',
      scopes: ['read_user'],
      params: UserId,
      responses: { 200: Type.Array(GpgKey) },
      run: async ({ params }) => listKeys(database, (await existingUser(database, params.id)).id),
    }),
    operation('GET /users/:id/gpg_keys/:key_id', {
      summary: 'Get a GPG key of a user',
      access: 'anyone',
      scopes: ['read_user'],
      params: KeyIdOfUser,
      responses: { 200: GpgKey },
      run: async ({ params }) =>
        getKey(database, (await existingUser(database, params.id)).id, params.key_id),
    }),
    operation('POST /users/:id/gpg_keys', {
      summary: 'Add a GPG key for a user',
      access: 'administrator',
      params: NewGpgKeyOfUser,
      responses: { 201: GpgKey },
      run: async ({ params }) => addKey(database, (await existingUser(database, params.id)).id, params.key),
    }),
    operation('POST /users/:id/gpg_keys/:key_id/revoke', {
      summary: 'Revoke a GPG key of a user',
      access: 'administrator',
      params: KeyIdOfUser,
      responses: { 202: NoBody },
      run: async ({ params }) => {
        await deleteKey(database, (await existingUser(database, params.id)).id, params.key_id)
        return respond(202)
      },
    }),
    operation('DELETE /users/:id/gpg_keys/:key_id', {
      summary: 'Delete a GPG key of a user',
      access: 'administrator',
      params: KeyIdOfUser,
      responses: { 204: NoBody },
      run: async ({ params }) => {
        await deleteKey(database, (await existingUser(database, params.id)).id, params.key_id)
        return respond(204)
      },
    }),
  ]
}

function present({ id, key, fingerprint, created_at }: Selectable<GpgKeyTable>): GpgKey {
  return { id, key, fingerprint, created_at: isoTime(created_at) }
}

async function listKeys(database: Database, userId: number): Promise<GpgKey[]> {
  const rows = await database
    .selectFrom('gpg_key')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map(present)
}

async function getKey(database: Database, userId: number, id: number): Promise<GpgKey> {
  const row = await database
    .selectFrom('gpg_key')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFound('GPG Key')
  return present(row)
}

async function addKey(database: Database, userId: number, key: string): Promise<GpgKey> {
  const fingerprint = gpgFingerprint(key)
  if (fingerprint === undefined) throw invalidRecord({ key: ['is invalid'] })
  try {
    const row = await database
      .insertInto('gpg_key')
      .values({ user_id: userId, key: key.trim(), fingerprint, created_at: Date.now() })
      .returningAll()
      .executeTakeFirstOrThrow()
    return present(row)
  } catch (error) {
    if (isUniqueViolation(error)) throw invalidRecord({ fingerprint: ['has already been taken'] })
    throw error
  }
}

async function deleteKey(database: Database, userId: number, id: number): Promise<void> {
  const { numDeletedRows } = await database
    .deleteFrom('gpg_key')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows !== 1n) throw notFound('GPG Key')
}
