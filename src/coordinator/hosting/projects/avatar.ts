import type { Project } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { updateProject } from '../../database/stores/project-store.js'
import { replaceAvatar } from '../avatars/avatar-parameter.js'
import type { Avatars } from '../avatars/avatars.js'
import type { GivenImage } from '../avatars/image-format.js'

export interface ProjectAvatarDeps {
  database: Database
  avatars: Avatars
}

/**
 * Replaces the avatar of the project; null deletes it, undefined keeps it. Throws 400 for a file that is no
 * supported image.
 */
export async function changeAvatar(
  { database, avatars }: ProjectAvatarDeps,
  project: Project,
  image: GivenImage | null | undefined,
): Promise<Project> {
  if (image === undefined) return project
  const { id, avatar_key: key } = project
  return replaceAvatar(avatars, { kind: 'project', id, key }, image, (avatar) =>
    updateProject(database, id, { avatar_name: avatar?.name ?? null, avatar_key: avatar?.key ?? null }),
  )
}
