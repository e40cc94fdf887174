import { Type } from 'typebox'

import type { User } from '../../../access/caller.js'
import { notFound } from '../../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../../http/operation.js'
import { existingUser, type UserDeps } from '../users.js'
import {
  AnyKeyId,
  Fingerprint,
  KeyId,
  KeyIdOfUser,
  KeyIdOfUserNamed,
  NewSshKey,
  NewSshKeyOfUser,
  SshKey,
  SshKeyWithUser,
  UserNamed,
} from './schema.js'
import { addSshKey, anySshKey, deleteSshKey, sshKeyOf, sshKeysOf, sshKeyWithFingerprint } from './ssh-keys.js'

export interface KeyDeps extends UserDeps {
  /** Finds a user by ID or username. */
  findUser: (idOrName: string) => Promise<User | undefined>
}

const OWN = { withComments: true }
const OF_OTHERS = { withComments: false }

/** SSH public keys of users (API, H). */
export function sshKeyOperations(deps: KeyDeps): Operation[] {
  const { database, findUser } = deps
  return [
    operation('GET /user/keys', {
      summary: 'List SSH keys of the current user',
      access: 'user',
      scopes: ['read_user'],
      responses: { 200: Type.Array(SshKey) },
      paginated: true,
      run: async ({ user, paging }) => sshKeysOf(database, user.id, paging, OWN),
    }),
    operation('GET /user/keys/:key_id', {
      summary: 'Get an SSH key of the current user',
      access: 'user',
      scopes: ['read_user'],
      params: KeyId,
      responses: { 200: SshKey },
      run: async ({ user, params }) => sshKeyOf(database, user.id, params.key_id, OWN),
    }),
    operation('POST /user/keys', {
      summary: 'Add an SSH key for the current user',
      access: 'user',
      params: NewSshKey,
      responses: { 201: SshKey },
      run: async ({ user, params }) => addSshKey(database, user.id, params),
    }),
    operation('DELETE /user/keys/:key_id', {
      summary: 'Delete an SSH key of the current user',
      access: 'user',
      params: KeyId,
      responses: { 204: NoBody },
      run: async ({ user, params }) => {
        await deleteSshKey(database, user.id, params.key_id)
        return respond(204)
      },
    }),
    operation('GET /users/:id/keys', {
      summary: 'List SSH keys of a user',
      access: 'anyone',
      scopes: ['read_user'],
      params: UserNamed,
      responses: { 200: Type.Array(SshKey) },
      paginated: true,
      run: async ({ params, paging }) =>
        sshKeysOf(database, (await userNamed(params.id)).id, paging, OF_OTHERS),
    }),
    operation('GET /users/:id/keys/:key_id', {
      summary: 'Get an SSH key of a user',
      access: 'anyone',
      scopes: ['read_user'],
      params: KeyIdOfUserNamed,
      responses: { 200: SshKey },
      run: async ({ params }) =>
        sshKeyOf(database, (await userNamed(params.id)).id, params.key_id, OF_OTHERS),
    }),
    operation('POST /users/:id/keys', {
      summary: 'Add an SSH key for a user',
      access: 'administrator',
      params: NewSshKeyOfUser,
      responses: { 201: SshKey },
      run: async ({ params }) => addSshKey(database, (await existingUser(database, params.id)).id, params),
    }),
    operation('DELETE /users/:id/keys/:key_id', {
      summary: 'Delete an SSH key of a user',
      access: 'administrator',
      params: KeyIdOfUser,
      responses: { 204: NoBody },
      run: async ({ params }) => {
        await deleteSshKey(database, (await existingUser(database, params.id)).id, params.key_id)
        return respond(204)
      },
    }),
    operation('GET /keys', {
      summary: 'Get an SSH key and its user by fingerprint',
      access: 'administrator',
      params: Fingerprint,
      responses: { 200: SshKeyWithUser },
      run: async ({ params }) => sshKeyWithFingerprint(deps, params.fingerprint),
    }),
    operation('GET /keys/:id', {
      summary: 'Get an SSH key and its user',
      access: 'administrator',
      params: AnyKeyId,
      responses: { 200: SshKeyWithUser },
      run: async ({ params }) => anySshKey(deps, params.id),
    }),
  ]

  async function userNamed(idOrName: string): Promise<User> {
    const user = await findUser(idOrName)
    if (!user) throw notFound('User')
    return user
  }
}
