import { type Static, Type } from 'typebox'

import { described, optional, text } from '../../http/parameters/described.js'
import { FileParameter, Nullable, NullableText } from '../../http/parameters/types.js'

const MAX_TEXT = 20_000
/** Images above the limit of 1 MiB, and up to this one, get an error that names the limit. */
const MAX_UPLOAD = 4 * 1024 * 1024

const TEXTS = {
  title: 'Title on the sign-in and sign-up pages',
  description: 'Markdown text on the sign-in and sign-up pages',
  pwa_name: 'Name of the application on devices',
  pwa_short_name: 'Short name of the application on devices',
  pwa_description: 'Description of the application on devices',
  member_guidelines: 'Markdown text about members',
  new_project_guidelines: 'Markdown text about new projects',
  profile_image_guidelines: 'Markdown text about images of users',
  header_message: 'Message above every page',
  footer_message: 'Message below every page',
  message_background_color: 'Background colour of both messages, #rgb or #rrggbb',
  message_font_color: 'Text colour of both messages, #rgb or #rrggbb',
} as const

const IMAGES = {
  pwa_icon: 'Icon of the application on devices',
  logo: 'Image on the sign-in and sign-up pages',
  header_logo: 'Image in the bar at the top of every page',
  favicon: 'Icon of the pages in the browser',
} as const

const IN_MAILS = 'Whether mails have both messages'

type Of<Names, T> = { [Name in keyof Names]: T }

function each<Names extends Record<string, string>, T>(
  descriptions: Names,
  make: (description: string) => T,
): Of<Names, T> {
  return Object.fromEntries(
    Object.entries(descriptions).map(([name, description]) => [name, make(description)]),
  ) as Of<Names, T>
}

export const AppearanceRecord = Type.Object({
  ...each(TEXTS, (description) => text(description)),
  ...each(IMAGES, (description) =>
    described(NullableText, `${description}: its path; null if there is none`),
  ),
  email_header_and_footer_enabled: Type.Boolean({ description: IN_MAILS }),
})
export type AppearanceRecord = Static<typeof AppearanceRecord>

export const EditAppearance = Type.Object({
  ...each(TEXTS, (description) => Type.Optional(Type.String({ maxLength: MAX_TEXT, description }))),
  ...each(IMAGES, (description) =>
    Type.Optional(
      described(
        Nullable(FileParameter({ maxBytes: MAX_UPLOAD })),
        `${description}, at most 1 MiB; null or empty deletes it`,
      ),
    ),
  ),
  email_header_and_footer_enabled: optional(Type.Boolean(), IN_MAILS),
})
export type EditAppearance = Static<typeof EditAppearance>
