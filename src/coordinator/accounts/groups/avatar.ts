import type { User } from '../../access/caller.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { type NamespaceRow, updateNamespace } from '../../database/stores/namespace-store.js'
import { checkAvatar, replaceAvatar } from '../../hosting/avatars/avatar-parameter.js'
import type { Avatars } from '../../hosting/avatars/avatars.js'
import type { GivenImage } from '../../hosting/avatars/image-format.js'
import { editGroup } from './edit-group.js'
import { createGroup } from './groups.js'
import type { CreateGroup, EditGroup } from './schema.js'

export interface GroupAvatarDeps {
  database: Database
  avatars: Avatars
}

/** Like `createGroup`, with an avatar. Throws 400 for a file that is no supported image. */
export async function createGroupWithAvatar(
  deps: GroupAvatarDeps & { secrets: SecretBox },
  params: CreateGroup,
  user: User,
): Promise<NamespaceRow> {
  await checkAvatar(deps.avatars, params.avatar)
  return changeAvatar(deps, await createGroup(deps, params, user), params.avatar)
}

/** Like `editGroup`, with an avatar. Throws 400 for a file that is no supported image. */
export async function editGroupWithAvatar(
  deps: GroupAvatarDeps,
  group: NamespaceRow,
  changes: EditGroup,
  user: User,
): Promise<NamespaceRow> {
  await checkAvatar(deps.avatars, changes.avatar)
  return changeAvatar(deps, await editGroup(deps.database, group, changes, user), changes.avatar)
}

/** Null deletes the avatar, undefined keeps it. */
async function changeAvatar(
  { database, avatars }: GroupAvatarDeps,
  group: NamespaceRow,
  image: GivenImage | null | undefined,
): Promise<NamespaceRow> {
  if (image === undefined) return group
  const { id, avatar_key: key } = group
  return replaceAvatar(avatars, { kind: 'group', id, key }, image, (avatar) =>
    updateNamespace(database, id, { avatar: avatar?.name ?? null, avatar_key: avatar?.key ?? null }),
  )
}
