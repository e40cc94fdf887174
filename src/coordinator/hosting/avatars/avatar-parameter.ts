import { UnsuitableImageError } from '../../ci/storage/errors.js'
import { invalidRecord, notFound } from '../../http/errors.js'
import { stream, type StreamResponse } from '../../http/operation.js'
import { described } from '../../http/parameters/described.js'
import { FileParameter, Nullable } from '../../http/parameters/types.js'
import { type AvatarOwner, type Avatars, MAX_AVATAR_UPLOAD, type StoredAvatar } from './avatars.js'
import type { GivenImage } from './image-format.js'

/** Avatar image of a request; null deletes the current one. */
export const AvatarParameter = described(
  Nullable(FileParameter({ maxBytes: MAX_AVATAR_UPLOAD })),
  'Avatar image, at most 200 KiB; null or empty deletes it.',
)

/** Headers of an uploaded image: no script in it can run, whatever its type. */
export const PICTURE_HEADERS = { 'content-security-policy': "default-src 'none'; sandbox" }

/** Throws 400 for a file that is no image or is too large. Call it before any change. */
export async function checkAvatar(avatars: Avatars, image: GivenImage | null | undefined): Promise<void> {
  if (image) await refusingUnsuitable(() => avatars.check(image))
}

/**
 * Replaces the avatar of the owner; a null `image` deletes it. `store` stores the reference in the database.
 * Throws 400 for a file that is no supported image or is too large.
 */
export function replaceAvatar<T>(
  avatars: Avatars,
  owner: AvatarOwner & { key: string | null },
  image: GivenImage | null,
  store: (avatar: StoredAvatar | null) => Promise<T>,
): Promise<T> {
  return refusingUnsuitable(() => avatars.replace(owner, image, store))
}

async function refusingUnsuitable<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof UnsuitableImageError)) throw error
    throw invalidRecord({ avatar: [error.message] })
  }
}

/** The image stored under `key`. Throws 404 without one. */
export async function readAvatar(avatars: Avatars, key: string | null): Promise<StreamResponse> {
  if (key === null) throw notFound('Avatar')
  const found = await avatars.read(key)
  if (!found) throw notFound('Avatar')
  return stream(found.body, found.contentType, PICTURE_HEADERS)
}
