import { type Static, Type } from 'typebox'

/** A position in the files of the output of a stage, from which another follower continues. */
export const OutputCursor = Type.Object({
  /** Number of the file. */
  index: Type.Integer({ minimum: 0 }),
  /** Bytes of the file before it. */
  position: Type.Integer({ minimum: 0 }),
  /** Bytes before it that may be the beginning of a mark, in hexadecimal digits. They were not written yet. */
  held: Type.String({ maxLength: 1024, pattern: '^([0-9a-f]{2})*$' }),
})
export type OutputCursor = Static<typeof OutputCursor>
