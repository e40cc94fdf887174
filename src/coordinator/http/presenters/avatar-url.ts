import type { Group, Project, User } from '../../access/caller.js'

/** URL of the avatar of a project; null if there is none. */
export function projectAvatarUrl({ id, avatar_name }: Project, baseUrl: string): string | null {
  return avatarUrl('project', id, avatar_name, baseUrl)
}

/** URL of the avatar of a group, or of the owner of a personal namespace; null if there is none. */
export function namespaceAvatarUrl(
  { kind, id, avatar }: Pick<Group, 'kind' | 'id' | 'avatar'>,
  owner: Pick<User, 'id' | 'avatar'> | undefined,
  baseUrl: string,
): string | null {
  if (kind === 'user') return owner ? userAvatarUrl(owner, baseUrl) : null
  return avatarUrl('group', id, avatar, baseUrl)
}

/** URL of the avatar of a user; null if there is none. */
export function userAvatarUrl({ id, avatar }: Pick<User, 'id' | 'avatar'>, baseUrl: string): string | null {
  return avatarUrl('user', id, avatar, baseUrl)
}

/** URL of the avatar of a topic; null if there is none. */
export function topicAvatarUrl(
  { id, avatar_name }: { id: number; avatar_name: string | null },
  baseUrl: string,
): string | null {
  return avatarUrl('topic', id, avatar_name, baseUrl)
}

function avatarUrl(kind: string, id: number, name: string | null, baseUrl: string): string | null {
  if (name === null) return null
  return `${baseUrl}/uploads/-/system/${kind}/avatar/${id}/${encodeURIComponent(name)}`
}
