import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'

import { ExecutorError } from '../executor.js'
import { OutputRecord } from '../output-record.js'

/** How the container of the job connects to its services. Plain JSON, because it is kept in the journal. */
const BuildConnection = Type.Object({
  /** Null selects the engine's default. */
  networkMode: Type.Union([Type.String(), Type.Null()]),
  /** Whether the network resolves container names. */
  hasNames: Type.Boolean(),
  /** `name:address`, for networks that do not resolve names. */
  hostEntries: Type.Array(Type.String()),
  environment: Type.Record(Type.String(), Type.String()),
})
export type BuildConnection = Static<typeof BuildConnection>

/** The state of the services of a job that another process needs. Plain JSON. */
const ServicesRecord = Type.Object({
  containers: Type.Array(Type.Object({ id: Type.String(), aliases: Type.Array(Type.String()) })),
  /** ID of the network that was created for the build. Null if there is none. */
  networkId: Type.Union([Type.String(), Type.Null()]),
  connection: BuildConnection,
  /** Whether the log of the job includes their output. */
  isShown: Type.Boolean(),
})
export type ServicesRecord = Static<typeof ServicesRecord>

/** The state that a later process needs to adopt the environment of a job. */
const DockerRecord = Type.Object({
  imageId: Type.String(),
  imageName: Type.String(),
  owner: Type.Optional(Type.Object({ uid: Type.Integer(), gid: Type.Integer() })),
  /** The volume with the files of the job. Absent if they are in directories of this machine. */
  workspaceVolume: Type.Optional(Type.String()),
  /** Absent until the container is created. */
  containerId: Type.Optional(Type.String()),
  /** Bytes that the engine keeps of the output of the stages before the current one. */
  printed: Type.Integer(),
  /** `State.StartedAt` before the current stage. While it is unchanged, the stage has not begun. */
  startedBefore: Type.String(),
  services: ServicesRecord,
  /** Absent if the engine keeps the output. */
  output: Type.Optional(OutputRecord),
  /** Begins the marks in the output at the engine. Absent for a container of an earlier version. */
  markToken: Type.Optional(Type.String()),
})
export type DockerRecord = Static<typeof DockerRecord>

/** Throws for a record that another version or another executor wrote. */
export function readRecord(record: Record<string, unknown>): DockerRecord {
  if (Check(DockerRecord, record)) return record
  throw new ExecutorError('The record of the running job cannot be read', 'runner_system_failure')
}
