import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'

import { ExecutorError } from '../executor.js'
import { OutputRecord } from '../output-record.js'

/** The state that a later process needs to adopt the pod of a job. Plain JSON, because it is kept in the journal. */
const PodRecord = Type.Object({
  namespace: Type.String(),
  name: Type.String(),
  uid: Type.String(),
  /** The user that runs the scripts. */
  owner: Type.Object({ uid: Type.Integer(), gid: Type.Integer() }),
  /** The files for the output of scripts, each in a directory of its own below this one. */
  output: OutputRecord,
  /** Path of the script of each stage. Absent until the environment is opened. */
  scriptPath: Type.Optional(Type.String()),
  /** Where shells begin. */
  workingDirectory: Type.Optional(Type.String()),
  /** Number of the last script that was begun. 0 if there is none. */
  scriptNumber: Type.Integer({ minimum: 0 }),
  /** Containers of services, and their names for people. */
  services: Type.Array(Type.Object({ container: Type.String(), aliases: Type.Array(Type.String()) })),
  /** Whether the log of the job includes the output of services. */
  showsServices: Type.Boolean(),
})
export type PodRecord = Static<typeof PodRecord>

/** Throws for a record that another version or another executor wrote. */
export function readRecord(record: Record<string, unknown>): PodRecord {
  if (Check(PodRecord, record)) return record
  throw new ExecutorError('The record of the running job cannot be read', 'runner_system_failure')
}
