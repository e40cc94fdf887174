import type { JobLog } from '../../../trace/job-log.js'
import type { ContainerFiles } from '../../../workspace/job-files.js'
import type { FileOwner } from '../../../workspace/workspace.js'
import {
  type ContainerWorkspace,
  type EnvironmentInterior,
  type EnvironmentRecord,
  ExecutorError,
  type JobEnvironment,
  type Stage,
} from '../../executor.js'
import { namingHost } from './named-errors.js'

/** The environment of a job on one of several hosts. Its record and its errors name the host. */
export class PlacedEnvironment implements JobEnvironment {
  private lastRecord: { inner: EnvironmentRecord; outer: EnvironmentRecord } | undefined

  constructor(
    private readonly inner: JobEnvironment,
    private readonly host: string,
    private readonly listener: {
      /** Called when the job has ended and is held. */
      onHeld: () => void
      /** Called when everything of the job was removed from the host, or is left to the next cleanup there. */
      onEnd: () => void
    },
  ) {}

  get owner(): FileOwner | undefined {
    return this.inner.owner
  }

  /** The same object as long as nothing changes, because the journal is written when it does. */
  get record(): EnvironmentRecord {
    const inner = this.inner.record
    if (this.lastRecord?.inner !== inner) this.lastRecord = { inner, outer: recordOn(this.host, inner) }
    return this.lastRecord.outer
  }

  get files(): ContainerFiles | undefined {
    const { inner, host } = this
    const { files } = inner
    return (
      files && {
        put: (directory, archive, signal) => namingHost(host, () => files.put(directory, archive, signal)),
        get: (directory, name) => namingHost(host, () => files.get(directory, name)),
      }
    )
  }

  open(place: () => ContainerWorkspace): void {
    this.inner.open(place)
  }

  async run(stage: Stage, log: JobLog, signal: AbortSignal, beforeStart?: () => Promise<void>) {
    return await namingHost(this.host, () => this.inner.run(stage, log, signal, beforeStart))
  }

  async resume(stage: Stage, log: JobLog, signal: AbortSignal) {
    return await namingHost(this.host, () => this.inner.resume(stage, log, signal))
  }

  get interior(): EnvironmentInterior | undefined {
    const { inner, host, listener } = this
    const { interior } = inner
    return (
      interior && {
        name: `${interior.name} on the host ${host}`,
        hold: async () => {
          await namingHost(host, () => interior.hold())
          listener.onHeld()
        },
        shell: (request, signal) => namingHost(host, () => interior.shell(request, signal)),
      }
    )
  }

  async cleanUp(): Promise<void> {
    try {
      await this.inner.cleanUp()
    } finally {
      this.listener.onEnd()
    }
  }
}

function recordOn(host: string, environment: EnvironmentRecord): EnvironmentRecord {
  return { host, environment }
}

/** Throws an `ExecutorError` for a record that an executor of another kind wrote. */
export function readPlacedRecord({ host, environment }: EnvironmentRecord): {
  host: string
  environment: EnvironmentRecord
} {
  if (typeof host === 'string' && typeof environment === 'object' && environment !== null)
    return { host, environment: environment as EnvironmentRecord }
  throw new ExecutorError(
    'The record of the running job names no host: the executor of the registration was changed',
    'runner_system_failure',
  )
}
