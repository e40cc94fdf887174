import type { Database } from '../../database/connect.js'
import { invalidRecord, notFound } from '../../http/errors.js'
import { type Project, stream, type StreamAnswer } from '../../http/operation.js'
import type { Avatars, GivenImage } from '../../storage/avatars.js'
import { BlobMissingError, UnsuitableImageError } from '../../storage/errors.js'
import { updateProject } from './store.js'

export interface AvatarDeps {
  database: Database
  avatars: Avatars
}

/** Gives the project this picture; null takes it away, undefined leaves it. Throws 400 for what is no picture. */
export async function changeAvatar(
  { database, avatars }: AvatarDeps,
  project: Project,
  image: GivenImage | null | undefined,
): Promise<Project> {
  if (image === undefined) return project
  const stored = image === null ? null : await save(avatars, project, image)
  const changed = await updateProject(database, project.id, {
    avatar_name: stored?.name ?? null,
    avatar_key: stored?.key ?? null,
  })
  if (project.avatar_key !== null) await avatars.delete(project.avatar_key)
  return changed
}

async function save(avatars: Avatars, { id }: Project, image: GivenImage) {
  try {
    return await avatars.save(`projects/${id}`, image)
  } catch (error) {
    if (!(error instanceof UnsuitableImageError)) throw error
    throw invalidRecord({ avatar: [error.message] })
  }
}

/** Throws 404 without one. */
export async function readAvatar({ avatars }: AvatarDeps, { avatar_key }: Project): Promise<StreamAnswer> {
  if (avatar_key === null) throw notFound('Avatar')
  try {
    const { body, contentType } = await avatars.read(avatar_key)
    return stream(body, contentType, { 'content-security-policy': "default-src 'none'; sandbox" })
  } catch (error) {
    // It was replaced just now.
    if (error instanceof BlobMissingError) throw notFound('Avatar')
    throw error
  }
}
