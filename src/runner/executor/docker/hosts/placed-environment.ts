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
import type { HostLoss } from './host-loss.js'
import { nameHost } from './named-errors.js'

export interface PlacedEnvironmentEvents {
  /** Called for a failure that was not the fault of the job. */
  failed: (message: string) => void
  /** Called when the job has ended and is held. */
  held: () => void
  /** Called when everything of the job was removed from the host, or is left to the next cleanup there. */
  ended: () => void
}

/** The environment of a job on one of several hosts. Its record and its errors name the host. */
export class PlacedEnvironment implements JobEnvironment {
  private lastRecord: { inner: EnvironmentRecord; outer: EnvironmentRecord } | undefined

  constructor(
    private readonly inner: JobEnvironment,
    private readonly host: string,
    private readonly loss: HostLoss,
    private readonly on: PlacedEnvironmentEvents,
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
    const { files } = this.inner
    return (
      files && {
        put: (directory, archive, signal) => this.onHost(() => files.put(directory, archive, signal)),
        get: (directory, name) => this.onHost(() => files.get(directory, name)),
      }
    )
  }

  open(place: () => ContainerWorkspace): void {
    this.inner.open(place)
  }

  async run(stage: Stage, log: JobLog, signal: AbortSignal, beforeStart?: () => Promise<void>) {
    return await this.reported(() =>
      this.loss.duringLogged(log, signal, (log, signal) => this.inner.run(stage, log, signal, beforeStart)),
    )
  }

  async resume(stage: Stage, log: JobLog, signal: AbortSignal) {
    return await this.reported(() =>
      this.loss.duringLogged(log, signal, (log, signal) => this.inner.resume(stage, log, signal)),
    )
  }

  get interior(): EnvironmentInterior | undefined {
    const { interior } = this.inner
    return (
      interior && {
        name: `${interior.name} on the host ${this.host}`,
        hold: async () => {
          await this.onHost(() => interior.hold())
          this.on.held()
        },
        shell: (request, signal) => this.onHost(() => interior.shell(request, signal)),
        endShells: () => this.onHost(() => interior.endShells()),
      }
    )
  }

  /** Leaves a lost host to its next cleanup: requests to it may never end. */
  async cleanUp(): Promise<void> {
    try {
      if (!this.loss.isLost) await this.loss.during(() => this.inner.cleanUp())
    } catch (error) {
      if (!this.loss.isLost) throw error
    } finally {
      this.on.ended()
    }
  }

  private onHost<T>(work: () => Promise<T>): Promise<T> {
    return this.reported(() => this.loss.during(work))
  }

  /** The container is created by the first use of it, so a host that can create none fails here. */
  private async reported<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof ExecutorError && error.reason === 'runner_system_failure')
        this.on.failed(error.message)
      throw nameHost(error, this.host)
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
