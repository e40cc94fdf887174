import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'

import { ExecutorError } from '../errors.js'
import { ServicesRecord } from './services/services-record.js'

/** What a later process needs to take up the environment of a job. */
export const DockerRecord = Type.Object({
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
