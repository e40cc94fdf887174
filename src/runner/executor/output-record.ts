import { type Static, Type } from 'typebox'

/** The files for the output of a stage. Plain JSON, because it is kept in the journal. */
export const OutputRecord = Type.Object({
  /** Directory that the container mounts, as its reader sees it. */
  directory: Type.String(),
  /** Begins the marks in the output. */
  token: Type.String(),
  /** Bytes that are kept until the stage ends. */
  headBytes: Type.Integer(),
  /** Bytes of each of the `SEGMENTS` files after them. */
  segmentBytes: Type.Integer(),
})
export type OutputRecord = Static<typeof OutputRecord>
