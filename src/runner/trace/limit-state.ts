import { type Static, Type } from 'typebox'

/** A `SectionMarker` in JSON. */
const Marker = Type.Object({
  kind: Type.Enum(['start', 'end']),
  name: Type.String(),
  position: Type.Integer(),
  /** In base64, as all bytes here. */
  bytes: Type.String(),
})

/** All that an `OutputLimit` knows of the text beyond its limit, in JSON. */
export const LimitState = Type.Object({
  /** Bytes of text that came so far, those that were left out included. */
  read: Type.Integer(),
  /** Where the text beyond the limit begins. */
  cut: Type.Integer(),
  /** Bytes beyond the limit so far, and the last of them. */
  beyond: Type.Integer(),
  tail: Type.String(),
  recent: Type.Array(Marker),
  sections: Type.Object({
    before: Type.Array(Marker),
    ends: Type.Array(Marker),
    starts: Type.Array(Marker),
  }),
  markers: Type.Object({ held: Type.String(), position: Type.Integer() }),
})
export type LimitState = Static<typeof LimitState>
export type MarkerState = Static<typeof Marker>
