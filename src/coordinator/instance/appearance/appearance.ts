import type { BlobStore } from '../../ci/storage/blob-store.js'
import type { Database } from '../../database/connect.js'
import {
  type Appearance,
  findAppearance,
  findAppearanceValues,
  IMAGE_KINDS,
  type ImageKind,
  setAppearance,
  type StoredImage,
} from '../../database/stores/appearance-store.js'
import { inTransaction } from '../../database/transaction.js'
import type { GivenImage } from '../../hosting/avatars/image-format.js'
import { invalidRecord } from '../../http/errors.js'
import { checkImage, imageAddress, saveImage } from './images.js'
import type { AppearanceRecord, EditAppearance } from './schema.js'

export interface AppearanceDeps {
  database: Database
  blobs: BlobStore
}

const COLOR = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i

/** Changes what is given; null deletes an image. Throws 400 for a colour or image that is not valid. */
export async function changeAppearance(
  deps: AppearanceDeps,
  params: EditAppearance,
): Promise<AppearanceRecord> {
  const { logo, header_logo, favicon, pwa_icon, ...values } = params
  const images = { logo, header_logo, favicon, pwa_icon }
  refuseColors(values)
  for (const kind of IMAGE_KINDS) if (images[kind]) await checkImage(kind, images[kind])
  await setAppearance(deps.database, values)
  for (const kind of IMAGE_KINDS) {
    if (images[kind] !== undefined) await replaceImage(deps, kind, images[kind])
  }
  return presentAppearance(await findAppearance(deps.database))
}

function refuseColors(
  values: Partial<Pick<Appearance, 'message_background_color' | 'message_font_color'>>,
): void {
  const problems: Record<string, string[]> = {}
  for (const name of ['message_background_color', 'message_font_color'] as const) {
    if (values[name] !== undefined && !COLOR.test(values[name])) {
      problems[name] = ['must be a valid color code']
    }
  }
  if (Object.keys(problems).length > 0) throw invalidRecord(problems)
}

/** The file is written before the setting that names it, and the old one is deleted after that. */
async function replaceImage(
  { database, blobs }: AppearanceDeps,
  kind: ImageKind,
  image: GivenImage | null,
): Promise<void> {
  const stored = image && (await saveImage(blobs, kind, image))
  let before: StoredImage | null
  try {
    before = await inTransaction(database, async (tx) => {
      const { [kind]: current } = await findAppearanceValues(tx, kind)
      await setAppearance(tx, { [kind]: stored })
      return current
    })
  } catch (error) {
    if (stored) await blobs.delete(stored.key)
    throw error
  }
  if (before) await blobs.delete(before.key)
}

export function presentAppearance(appearance: Appearance): AppearanceRecord {
  const images = Object.fromEntries(IMAGE_KINDS.map((kind) => [kind, imageAddress(kind, appearance[kind])]))
  return { ...appearance, ...(images as Record<ImageKind, string | null>) }
}
