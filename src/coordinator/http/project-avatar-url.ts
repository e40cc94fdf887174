import type { Project } from './operation.js'

/** Where the picture of a project is served; null without one. */
export function avatarUrl({ id, avatar_name }: Project, baseUrl: string): string | null {
  if (avatar_name === null) return null
  return `${baseUrl}/uploads/-/system/project/avatar/${id}/${encodeURIComponent(avatar_name)}`
}
