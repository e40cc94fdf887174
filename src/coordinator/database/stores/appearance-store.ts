import type { Database } from '../connect.js'
import type { Transaction } from '../transaction.js'
import { findSettings, setSetting } from './instance-setting-store.js'

/** Texts and colours that administrators have chosen for the pages and mails of the instance. */
interface AppearanceValues {
  /** Shown on the sign-in and sign-up pages; the description is Markdown. */
  title: string
  description: string
  pwa_name: string
  pwa_short_name: string
  pwa_description: string
  member_guidelines: string
  new_project_guidelines: string
  profile_image_guidelines: string
  /** Above and below every page. */
  header_message: string
  footer_message: string
  /** `#rgb` or `#rrggbb`. */
  message_background_color: string
  message_font_color: string
  /** Whether mails have both messages. */
  email_header_and_footer_enabled: boolean
}

export const IMAGE_KINDS = ['logo', 'header_logo', 'favicon', 'pwa_icon'] as const
export type ImageKind = (typeof IMAGE_KINDS)[number]

/** An image in the blob store. */
export interface StoredImage {
  /** Last part of its address. */
  name: string
  key: string
}

export type Appearance = AppearanceValues & Record<ImageKind, StoredImage | null>

const DEFAULTS: Appearance = {
  title: '',
  description: '',
  pwa_name: '',
  pwa_short_name: '',
  pwa_description: '',
  member_guidelines: '',
  new_project_guidelines: '',
  profile_image_guidelines: '',
  header_message: '',
  footer_message: '',
  message_background_color: '#E75E40',
  message_font_color: '#FFFFFF',
  email_header_and_footer_enabled: false,
  logo: null,
  header_logo: null,
  favicon: null,
  pwa_icon: null,
}

/** Each value is a setting of its own, so that changes at the same time do not undo each other. */
const PREFIX = 'appearance.'

/** The appearance of the instance as it is now, on every coordinator of the store. */
export function findAppearance(database: Database): Promise<Appearance> {
  return findAppearanceValues(database, ...(Object.keys(DEFAULTS) as (keyof Appearance)[]))
}

/** Some of its values. */
export async function findAppearanceValues<Name extends keyof Appearance>(
  database: Database,
  ...names: Name[]
): Promise<Pick<Appearance, Name>> {
  const stored = await findSettings(
    database,
    names.map((name) => PREFIX + name),
  )
  const entries = names.map((name) => {
    const value = stored.get(PREFIX + name)
    return [name, value === undefined ? DEFAULTS[name] : (JSON.parse(value) as unknown)]
  })
  return Object.fromEntries(entries) as Pick<Appearance, Name>
}

export async function setAppearance(
  database: Database | Transaction,
  changes: Partial<Appearance>,
): Promise<void> {
  for (const [name, value] of Object.entries<unknown>(changes)) {
    if (value === undefined) continue
    await setSetting(database, PREFIX + name, JSON.stringify(value))
  }
}
