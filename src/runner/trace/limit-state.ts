import { type Static, Type } from 'typebox'

/** A `SectionMarker` as JSON. */
const Marker = Type.Object({
  kind: Type.Enum(['start', 'end']),
  name: Type.String(),
  position: Type.Integer(),
  /** In base64, like all bytes in this state. */
  bytes: Type.String(),
})

/** The state of an `OutputLimit` beyond its limit, as JSON. */
export const LimitState = Type.Object({
  /** Bytes of text read so far, including those that were left out. */
  read: Type.Integer(),
  /** Position at which the text beyond the limit begins. */
  cut: Type.Integer(),
  /** Number of bytes beyond the limit so far, and the last of them. */
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
