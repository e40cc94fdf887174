import { type Static, Type } from 'typebox'

import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { updateProfile } from '../../database/stores/user-profile-store.js'
import { sameText } from '../../database/text.js'
import { inTransaction } from '../../database/transaction.js'
import { AvatarParameter, checkAvatar, replaceAvatar } from '../../hosting/avatars/avatar-parameter.js'
import type { Avatars, StoredAvatar } from '../../hosting/avatars/avatars.js'
import type { GivenImage } from '../../hosting/avatars/image-format.js'
import { type Operation, operation } from '../../http/operation.js'
import { described } from '../../http/parameters/described.js'
import { NullableText } from '../../http/parameters/types.js'
import { userAvatarUrl } from '../../http/presenters/avatar-url.js'
import { createAccount } from './account/create-user.js'
import { editUser } from './account/edit-user.js'
import type { CreateUser, EditUser } from './record/schema.js'
import { updateUser } from './store.js'
import type { UserDeps } from './users.js'

export interface UserAvatarDeps extends UserDeps {
  avatars: Avatars
}

const AvatarAddress = Type.Object({
  avatar_url: described(NullableText, 'URL of the avatar; null if there is none.'),
})

const AvatarByEmail = Type.Object({
  email: described(Type.String({ minLength: 1, maxLength: 254 }), 'Public e-mail address of the user.'),
  size: described(
    Type.Optional(Type.Integer({ minimum: 1 })),
    'Accepted for clients that send it; avatars are not scaled.',
  ),
})

/** Like `createAccount`, with an avatar. Throws 400 for a file that is no supported image. */
export async function createUserWithAvatar(
  deps: UserAvatarDeps,
  { avatar, ...params }: CreateUser,
  creator: User,
): Promise<User> {
  await checkAvatar(deps.avatars, avatar)
  return changeAvatar(deps, await createAccount(deps.database, params, creator), avatar)
}

/** Like `editUser`, with an avatar. Throws 400 for a file that is no supported image. */
export async function editUserWithAvatar(
  deps: UserAvatarDeps,
  { avatar, ...params }: EditUser,
  keptSession?: number,
): Promise<User> {
  await checkAvatar(deps.avatars, avatar)
  return changeAvatar(deps, await editUser(deps.database, params, keptSession), avatar)
}

/** Avatars of users (API, H). */
export function avatarOperations(deps: UserAvatarDeps): Operation[] {
  return [
    operation('PUT /user/avatar', {
      summary: 'Set or delete the avatar of the current user',
      access: 'user',
      params: Type.Object({ avatar: AvatarParameter }),
      responses: { 200: AvatarAddress },
      run: async ({ user, params }) => ownAvatar(deps, await changeAvatar(deps, user, params.avatar)),
    }),
    operation('GET /avatar', {
      summary: 'Get the URL of the avatar of the user with a public e-mail address',
      access: 'anyone',
      params: AvatarByEmail,
      responses: { 200: AvatarAddress },
      run: async ({ params: { email } }) => {
        const user = await findByPublicEmail(deps.database, email)
        return { avatar_url: user ? userAvatarUrl(user, deps.externalUrl) : null }
      },
    }),
  ]
}

/** Users are found only by addresses that everyone sees, so that nobody can test for the others. */
function findByPublicEmail(
  database: Database,
  email: string,
): Promise<Pick<User, 'id' | 'avatar'> | undefined> {
  return database
    .selectFrom('user_profile')
    .innerJoin('user', 'user.id', 'user_profile.user_id')
    .select(['user.id', 'user.avatar'])
    .where(({ ref }) => sameText(ref('user_profile.public_email'), email))
    .where('user_profile.private_profile', '=', false)
    .orderBy('user.id')
    .limit(1)
    .executeTakeFirst()
}

function ownAvatar({ externalUrl }: UserAvatarDeps, user: User): Static<typeof AvatarAddress> {
  return { avatar_url: userAvatarUrl(user, externalUrl) }
}

/** Null deletes the avatar, undefined keeps it. */
async function changeAvatar(
  { database, avatars }: UserAvatarDeps,
  user: User,
  image: GivenImage | null | undefined,
): Promise<User> {
  if (image === undefined) return user
  const key = await avatarKeyOf(database, user.id)
  return replaceAvatar(avatars, { kind: 'user', id: user.id, key }, image, (avatar) =>
    recordAvatar(database, user, avatar),
  )
}

async function avatarKeyOf(database: Database, userId: number): Promise<string | null> {
  const profile = await database
    .selectFrom('user_profile')
    .select('avatar_key')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return profile?.avatar_key ?? null
}

function recordAvatar(database: Database, { id }: User, avatar: StoredAvatar | null): Promise<User> {
  return inTransaction(database, async (tx) => {
    // Rows are locked in the same order as in the deletion of a user.
    const user = await updateUser(tx, id, { avatar: avatar?.name ?? null })
    await updateProfile(tx, id, { avatar_key: avatar?.key ?? null })
    return user
  })
}
