import { type Static, Type } from 'typebox'

import { ACCESS_LEVELS } from '../../access/access-levels.js'
import { described, flag, optional, text } from '../../http/parameters/described.js'
import { DateTime, OneOf } from '../../http/parameters/types.js'
import { THEME_NAMES } from './themes.js'

/** In characters. Every page that shows the message carries it. */
const MAX_MESSAGE = 4000

const Message = Type.String({ minLength: 1, maxLength: MAX_MESSAGE })
const Color = Type.String({ maxLength: 7 })
const Levels = Type.Array(Type.Integer(), { maxItems: Object.keys(ACCESS_LEVELS).length })
const Kind = OneOf('banner', 'notification')
const Theme = OneOf(...THEME_NAMES)

const Id = described(Type.Integer(), 'ID of the message.')
export const BroadcastMessageId = Type.Object({ id: Id })

/** API, L1c. */
export const BroadcastMessage = Type.Object({
  id: Id,
  message: text('Text, in Markdown.'),
  starts_at: described(DateTime(), 'Start time.'),
  ends_at: described(DateTime(), 'End time.'),
  active: flag('Whether it is shown now.'),
  broadcast_type: described(Kind, 'Kind: `banner` above the page, or `notification` in a corner of it.'),
  theme: described(Theme, 'Name of its colours.'),
  color: text('Background colour: its own, or that of the theme.'),
  font: text('Text colour: its own, or that of the theme.'),
  target_path: text('Path of the pages that show it; empty for all pages.'),
  target_access_levels: described(
    Type.Array(Type.Integer()),
    'Access levels of the readers, in the project or group of the page; empty for everybody.',
  ),
  dismissable: flag('Whether readers can close it.'),
})
export type BroadcastMessage = Static<typeof BroadcastMessage>

const settings = {
  starts_at: optional(DateTime(), 'Start time; now by default.'),
  ends_at: optional(DateTime(), 'End time; an hour after the start by default.'),
  broadcast_type: optional(Kind, 'Kind; `banner` by default. A `notification` can always be closed.'),
  theme: optional(Theme, 'Name of its colours; `indigo` by default.'),
  color: optional(Color, 'Background colour, #rgb or #rrggbb; empty for that of the theme.'),
  font: optional(Color, 'Text colour, #rgb or #rrggbb; empty for that of the theme.'),
  target_path: optional(
    Type.String({ maxLength: 255 }),
    'Path of the pages that show it, where `*` stands for any text, such as `*/-/pipelines`; all pages by default.',
  ),
  target_access_levels: optional(
    Levels,
    'Access levels of the readers, in the project or group of the page; everybody by default.',
  ),
  dismissable: optional(Type.Boolean(), 'Whether readers can close it; false by default.'),
}

export const NewBroadcastMessage = Type.Object({
  message: described(Message, `Text, in Markdown; at most ${MAX_MESSAGE} characters.`),
  ...settings,
})
export type NewBroadcastMessage = Static<typeof NewBroadcastMessage>

export const EditBroadcastMessage = Type.Object({
  id: Id,
  message: optional(Message, `Text, in Markdown; at most ${MAX_MESSAGE} characters.`),
  ...settings,
})
export type EditBroadcastMessage = Static<typeof EditBroadcastMessage>
