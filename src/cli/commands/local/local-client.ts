import { once } from 'node:events'
import { Readable } from 'node:stream'

import type { JobEnd } from '../../../coordinator/ci/engine/jobs/job-end.js'
import { ApiError } from '../../../coordinator/http/errors.js'
import { knownFailureReason } from '../../../protocol/failure-reason.js'
import type { JobUpdate } from '../../../protocol/job-update.js'
import type {
  ArtifactQuery,
  JobClient,
  JobIdentity,
  JobSignals,
  KnownSignals,
  UploadedFile,
} from '../../../runner/client/coordinator-client.js'
import { UnpackError } from './errors.js'
import type { LocalArtifacts } from './local-artifacts.js'

/** Seconds between two parts of a log, short because the user reads along. */
const LOG_INTERVAL = 0.1

export interface LocalClientDeps {
  job: { id: number; name: string }
  artifacts: LocalArtifacts
  /** Receives the next bytes of the log, which are already masked. */
  showLog: (bytes: Buffer) => void
  /** Aborts when the job must be canceled gracefully. */
  cancel: AbortSignal
  /** Where calls go that need a server. Undefined if the payload offers no feature that needs them. */
  server?: Pick<JobClient, 'callForJob' | 'follow'>
}

/** Replaces a coordinator for one job: serves the requests of the runner in this process. */
export class LocalClient implements JobClient {
  private shown = 0
  private reported: JobEnd | undefined

  constructor(private readonly deps: LocalClientDeps) {}

  /** The result of the job. Undefined until it is reported. */
  get end(): JobEnd | undefined {
    return this.reported
  }

  updateJob(_job: JobIdentity, update: Omit<JobUpdate, 'token' | 'info'>): Promise<JobSignals> {
    const { state, failure_reason, exit_code } = update
    if (state === 'success') this.reported = { status: 'success' }
    if (state === 'failed') {
      this.reported = { status: 'failed', failure_reason: knownFailureReason(failure_reason), exit_code }
    }
    return Promise.resolve(this.signals(200))
  }

  async waitForSignal(_job: JobIdentity, known: KnownSignals, signal: AbortSignal): Promise<JobSignals> {
    const { cancel } = this.deps
    if (known.status === this.status()) {
      const either = AbortSignal.any([signal, cancel])
      if (!either.aborted) await once(either, 'abort')
    }
    return this.signals(200)
  }

  appendTrace(
    _job: JobIdentity,
    offset: number,
    bytes: Buffer,
  ): Promise<JobSignals & { nextOffset: number }> {
    const fresh = bytes.subarray(Math.max(0, this.shown - offset))
    this.shown += fresh.length
    this.deps.showLog(fresh)
    return Promise.resolve({ ...this.signals(202), nextOffset: this.shown })
  }

  async uploadArtifact(
    _job: JobIdentity,
    { type = 'archive' }: ArtifactQuery,
    file: UploadedFile,
  ): Promise<{ status: number; message: string; location: URL | undefined }> {
    try {
      await this.deps.artifacts.store(this.deps.job, type, file)
      return { status: 201, message: 'status 201', location: undefined }
    } catch (error) {
      if (error instanceof UnpackError) return { status: 400, message: error.message, location: undefined }
      if (!(error instanceof ApiError)) throw error
      return { status: error.status, message: String(error.body['message']), location: undefined }
    }
  }

  downloadArtifacts(dependency: JobIdentity): Promise<{ status: number; body: Readable }> {
    const body = this.deps.artifacts.open(dependency.id)
    return Promise.resolve(body ? { status: 200, body } : { status: 404, body: Readable.from([]) })
  }

  follow(...call: Parameters<JobClient['follow']>): ReturnType<JobClient['follow']> {
    return this.server.follow(...call)
  }

  callForJob(...call: Parameters<JobClient['callForJob']>): ReturnType<JobClient['callForJob']> {
    return this.server.callForJob(...call)
  }

  /** Never called, because release steps are omitted. */
  createRelease(): Promise<string> {
    return Promise.resolve('A local run creates no releases')
  }

  private get server(): Pick<JobClient, 'callForJob' | 'follow'> {
    if (!this.deps.server) throw new Error('This local run has no server')
    return this.deps.server
  }

  private status(): 'running' | 'canceling' {
    return this.deps.cancel.aborted ? 'canceling' : 'running'
  }

  private signals(status: number): JobSignals {
    return { status, jobStatus: this.status(), traceInterval: LOG_INTERVAL }
  }
}
