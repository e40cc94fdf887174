import { type Static, Type } from 'typebox'

import { BuildConnection } from '../network/connection-record.js'

/** All that another process needs to know of a job's services; plain JSON. */
export const ServicesRecord = Type.Object({
  containers: Type.Array(Type.Object({ id: Type.String(), aliases: Type.Array(Type.String()) })),
  /** Of the network that was made for the build; null when there is none. */
  networkId: Type.Union([Type.String(), Type.Null()]),
  connection: BuildConnection,
  /** Whether their output goes to the log of the job. */
  isShown: Type.Boolean(),
})
export type ServicesRecord = Static<typeof ServicesRecord>
