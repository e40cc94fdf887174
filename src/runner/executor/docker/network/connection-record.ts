import { type Static, Type } from 'typebox'

/** What the job's own container needs to be among its services; plain JSON, for it outlives the runner. */
export const BuildConnection = Type.Object({
  /** The engine's default when null. */
  networkMode: Type.Union([Type.String(), Type.Null()]),
  /** Whether the network knows containers by names. */
  hasNames: Type.Boolean(),
  /** `name:address`, for networks that know no names. */
  hostEntries: Type.Array(Type.String()),
  environment: Type.Record(Type.String(), Type.String()),
})
export type BuildConnection = Static<typeof BuildConnection>
