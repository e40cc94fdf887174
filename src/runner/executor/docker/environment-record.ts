import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'

import { ExecutorError } from '../errors.js'

/** What the job's own container needs to be among its services; plain JSON, for it outlives the runner. */
const BuildConnection = Type.Object({
  /** The engine's default when null. */
  networkMode: Type.Union([Type.String(), Type.Null()]),
  /** Whether the network knows containers by names. */
  hasNames: Type.Boolean(),
  /** `name:address`, for networks that know no names. */
  hostEntries: Type.Array(Type.String()),
  environment: Type.Record(Type.String(), Type.String()),
})
export type BuildConnection = Static<typeof BuildConnection>

/** All that another process needs to know of a job's services; plain JSON. */
const ServicesRecord = Type.Object({
  containers: Type.Array(Type.Object({ id: Type.String(), aliases: Type.Array(Type.String()) })),
  /** Of the network that was made for the build; null when there is none. */
  networkId: Type.Union([Type.String(), Type.Null()]),
  connection: BuildConnection,
  /** Whether their output goes to the log of the job. */
  isShown: Type.Boolean(),
})
export type ServicesRecord = Static<typeof ServicesRecord>

/** What a later process needs to take up the environment of a job. */
const DockerRecord = Type.Object({
  imageId: Type.String(),
  imageName: Type.String(),
  owner: Type.Optional(Type.Object({ uid: Type.Integer(), gid: Type.Integer() })),
  /** The volume of the job's files; absent when they are directories of this machine. */
  workspaceVolume: Type.Optional(Type.String()),
  /** Absent before the container is made. */
  containerId: Type.Optional(Type.String()),
  /** Bytes that the stages before the current one printed. */
  printed: Type.Integer(),
  /** `State.StartedAt` before the current stage: as long as it is the same, the stage has not begun. */
  startedBefore: Type.String(),
  services: ServicesRecord,
})
export type DockerRecord = Static<typeof DockerRecord>

/** Throws for what another version, or another executor, wrote. */
export function readRecord(record: Record<string, unknown>): DockerRecord {
  if (Check(DockerRecord, record)) return record
  throw new ExecutorError('The record of the running job cannot be read', 'runner_system_failure')
}
