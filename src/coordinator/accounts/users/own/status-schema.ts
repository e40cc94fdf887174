import { type Static, Type } from 'typebox'

import { HOUR } from '../../../../lib/time-units.js'
import { described } from '../../../http/parameters/described.js'
import { DateTime, Nullable, NullableText, OneOf } from '../../../http/parameters/types.js'

/** Lifetimes of a status in milliseconds, by the values of the API. */
export const LIFETIMES = {
  '30_minutes': HOUR / 2,
  '3_hours': 3 * HOUR,
  '8_hours': 8 * HOUR,
  '1_day': 24 * HOUR,
  '3_days': 3 * 24 * HOUR,
  '7_days': 7 * 24 * HOUR,
  '30_days': 30 * 24 * HOUR,
}
type Lifetime = keyof typeof LIFETIMES

export const DEFAULT_EMOJI = 'speech_balloon'

export const Status = Type.Object({
  emoji: described(NullableText, 'Name of an emoji; null without a status.'),
  message: described(NullableText, 'Status message; null if there is none.'),
  message_html: described(Type.String(), 'Status message as HTML: escaped text, since it is not Markdown.'),
  availability: described(OneOf('not_set', 'busy'), 'Availability: whether the user is busy.'),
  clear_status_at: described(Nullable(DateTime()), 'Time at which the status is cleared; null if it is not.'),
})
export type Status = Static<typeof Status>

export const SetStatus = Type.Object({
  emoji: described(
    Type.Optional(Nullable(Type.String({ maxLength: 100, pattern: '^[a-z0-9_+-]*$' }))),
    `Name of an emoji without colons; default \`${DEFAULT_EMOJI}\`. If both this and the message are empty, the status is cleared.`,
  ),
  message: described(
    Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
    'Status message, at most 100 characters; may contain names of emojis between colons.',
  ),
  availability: described(
    Type.Optional(OneOf('not_set', 'busy')),
    'Availability: whether the user is busy; default `not_set`.',
  ),
  clear_status_after: described(
    Type.Optional(Nullable(OneOf(...(Object.keys(LIFETIMES) as Lifetime[])))),
    'Time after which the status is cleared; default never.',
  ),
})
export type SetStatus = Static<typeof SetStatus>
