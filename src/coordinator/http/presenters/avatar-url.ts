import type { Group, Project, User } from '../../access/caller.js'

/** Where the picture of a project is served; null without one. */
export function projectAvatarUrl({ id, avatar_name }: Project, baseUrl: string): string | null {
  return avatarUrl('project', id, avatar_name, baseUrl)
}

/** Where the picture of a group is served, or that of the owner of a personal namespace; null without one. */
export function namespaceAvatarUrl(
  { kind, id, avatar }: Pick<Group, 'kind' | 'id' | 'avatar'>,
  owner: Pick<User, 'id' | 'avatar'> | undefined,
  baseUrl: string,
): string | null {
  if (kind === 'user') return owner ? userAvatarUrl(owner, baseUrl) : null
  return avatarUrl('group', id, avatar, baseUrl)
}

/** Where the picture of a user is served; null without one. */
export function userAvatarUrl({ id, avatar }: Pick<User, 'id' | 'avatar'>, baseUrl: string): string | null {
  return avatarUrl('user', id, avatar, baseUrl)
}

function avatarUrl(kind: string, id: number, name: string | null, baseUrl: string): string | null {
  if (name === null) return null
  return `${baseUrl}/uploads/-/system/${kind}/avatar/${id}/${encodeURIComponent(name)}`
}
