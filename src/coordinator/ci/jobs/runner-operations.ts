import { Type } from 'typebox'

import { JOB_STATUS_HEADER, LAST_UPDATE_HEADER } from '../../../protocol/headers.js'
import { JobPayload } from '../../../protocol/job-payload.js'
import { JobRequest } from '../../../protocol/job-request.js'
import { JobUpdate } from '../../../protocol/job-update.js'
import { WantedTerminal } from '../../../protocol/wanted-terminal.js'
import { clientGone, whenClientGone } from '../../http/client-gone.js'
import { apiError, invalidParameters } from '../../http/errors.js'
import { type ApiResponse, NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { described } from '../../http/parameters/described.js'
import type { LoggingJob } from '../engine/job-log-store.js'
import type { Traces } from '../storage/traces.js'
import { downloadDependency } from './artifacts/download-dependency.js'
import { uploadArtifact, type UploadDeps, UploadParams } from './artifacts/upload-artifact.js'
import { authenticateJob, jobTokenOf } from './authenticate-job.js'
import { holdForSignal, type HoldForSignalDeps } from './request/hold-for-signal.js'
import { type JobResponse, requestJob, type RequestJobDeps } from './request/request-job.js'
import { appendTrace } from './trace/append-trace.js'
import type { ReportingJobs } from './trace/reporting-jobs.js'
import { traceIntervalHeaders } from './trace/trace-interval.js'
import { TraceMaskers } from './trace/trace-maskers.js'
import { endReportedJob, isEnd, updateJob } from './update-job.js'

export interface JobRunnerDeps
  extends RequestJobDeps, Pick<HoldForSignalDeps, 'watches' | 'traceReaders' | 'stopping' | 'findTerminals'> {
  traces: Traces
  reportingJobs: ReportingJobs
  /** Default retention of artifacts, in seconds; 0 = unlimited. */
  expireSeconds: UploadDeps['expireSeconds']
  spool: UploadDeps['spool']
}

const RUNNER_TOKEN_HEADER = 'runner-token'
/** Tells the runner that the request was held for a while (runner protocol, 2.3). */
const POLLING_HEADER = 'gitlab-ci-builds-polling'

const JobId = Type.Object({ id: described(Type.Integer(), 'ID of the job.') })
const DirectDownload = described(
  Type.Optional(Type.Boolean()),
  'Whether the response may be a redirect to the store of the archives.',
)

const JobToken = described(
  Type.Optional(Type.String()),
  'Token of the job, if not sent in the header `JOB-TOKEN`.',
)
/** The body of a signal, if there is more than what its headers say. */
const SignalNews = Type.Object({
  terminals: described(Type.Array(WantedTerminal), 'Shells that the runner is to open in the job.'),
})
const Upload = Type.Object({ ...JobId.properties, ...UploadParams.properties })

/**
 * Operations for runners. Every call carries the token of the runner or of the job (runner protocol, 2 to 5).
 */
export function jobRunnerOperations(deps: JobRunnerDeps): Operation[] {
  return [
    requestOperation(deps),
    ...progressOperations(deps),
    signalsOperation(deps),
    ...artifactOperations(deps),
  ]
}

function requestOperation(deps: JobRunnerDeps): Operation {
  return operation('POST /jobs/request', {
    summary: 'Request a job',
    access: 'anyone',
    params: Type.Object({
      ...JobRequest.properties,
      token: described(
        Type.Optional(Type.String()),
        'Authentication token of the runner, if not sent in the header `RUNNER-TOKEN`.',
      ),
    }),
    responses: { 201: JobPayload, 204: NoBody },
    repeatable: true,
    // Not an asynchronous function, which would take memory while the request is held.
    run: ({ params, request, reply }) => {
      const token = params.token ?? request.headers[RUNNER_TOKEN_HEADER]
      if (typeof token !== 'string') throw invalidParameters('token is missing')
      const { system_id: systemId, last_update: lastUpdate, info, session } = params
      const received = { token, systemId, lastUpdate, info, session, ip: request.ip }
      return requestJob(deps, received, (listener) => whenClientGone(reply, listener)).then(responseOf)
    },
  })
}

function responseOf(result: JobResponse): ApiResponse {
  const headers: Record<string, string> = result.held ? { [POLLING_HEADER]: 'yes' } : {}
  if (result.kind === 'job') return respond(201, result.payload, headers)
  if (result.lastUpdate) headers[LAST_UPDATE_HEADER] = result.lastUpdate
  return respond(204, undefined, headers, result.repeatableUntil)
}

function progressOperations(deps: JobRunnerDeps): Operation[] {
  const { engine, traces, traceReaders, reportingJobs, runners } = deps
  const maskers = new TraceMaskers(engine)
  const { database } = engine
  const heard = async <Job extends LoggingJob>(job: Job, { ip }: { ip: string }): Promise<Job> => {
    if (job.runner_id !== null) await runners.recordContact({ runnerId: job.runner_id, ip })
    return job
  }
  return [
    operation('PUT /jobs/:id', {
      summary: 'Update the state of a job',
      access: 'anyone',
      params: Type.Object({ ...JobId.properties, ...JobUpdate.properties }),
      responses: { 200: Type.Integer() },
      run: async ({ params, request }) => {
        const token = jobTokenOf(request.headers, params.token)
        const status = isEnd(params)
          ? await endReportedJob(
              { ...deps, maskers },
              await heard(await authenticateJob(database, params.id, token), request),
              params,
              token ?? '',
            )
          : await updateJob(
              deps,
              await heard(await reportingJobs.authenticate(params.id, token), request),
              params,
            )
        if (token !== undefined && params.state !== 'running') maskers.delete(token)
        return respond(200, 200, { [JOB_STATUS_HEADER]: status })
      },
    }),
    operation('PATCH /jobs/:id/trace', {
      summary: 'Append to the log of a job',
      access: 'anyone',
      params: Type.Object({
        ...JobId.properties,
        token: JobToken,
        debug_trace: described(
          Type.Optional(Type.Boolean()),
          'Whether debug mode is on, so that the log may show secrets.',
        ),
      }),
      body: 'stream',
      responses: { 202: NoBody },
      run: async ({ params, request }) => {
        const token = jobTokenOf(request.headers, params.token)
        const job = await heard(await reportingJobs.authenticate(params.id, token), request)
        const patch = {
          contentRange: request.headers['content-range'],
          isDebug: params.debug_trace ?? false,
          token: token ?? '',
          body: request.raw,
        }
        return appendTrace({ engine, traces, traceReaders, reportingJobs, maskers }, job, patch)
      },
    }),
  ]
}

/**
 * Beyond the reference: a runner that keeps this request open learns immediately that its job must end, and that
 * somebody reads its log.
 */
function signalsOperation(deps: JobRunnerDeps): Operation {
  return operation('GET /jobs/:id/signals', {
    summary: 'Wait for a change of the status of a job, a reader of its log, or a shell in it',
    access: 'anyone',
    params: Type.Object({
      ...JobId.properties,
      token: JobToken,
      status: described(Type.Optional(Type.String()), 'Status known to the runner; `running` by default.'),
      watched: described(
        Type.Optional(Type.Boolean()),
        'Whether the runner knows that somebody reads the log. If absent, readers are not waited for.',
      ),
      terminals: described(
        Type.Optional(Type.String({ maxLength: 4096 })),
        'IDs of the shells that the runner has opened, separated by commas. If absent, shells are not waited for.',
      ),
    }),
    responses: { 200: Type.Union([Type.Integer(), SignalNews]), 204: NoBody },
    run: async ({ params, request, reply }) => {
      const token = jobTokenOf(request.headers, params.token)
      const { id: jobId, status: known = 'running', watched } = params
      const opened = params.terminals?.split(',')
      const waiting = { jobId, token, known, watched, terminals: opened }
      const signal = await holdForSignal(deps, waiting, clientGone(reply))
      if (signal === undefined) return respond(204, undefined)
      const { status, isTraceRead, terminals } = signal
      return respond(200, terminals.length > 0 ? { terminals } : 200, {
        [JOB_STATUS_HEADER]: status,
        ...(isTraceRead && traceIntervalHeaders(isTraceRead)),
      })
    },
  })
}

function artifactOperations(deps: JobRunnerDeps): Operation[] {
  const { engine, artifacts } = deps
  const { database } = engine
  return [
    operation('POST /jobs/:id/artifacts/authorize', {
      summary: 'Authorize an artifact upload',
      access: 'anyone',
      params: Type.Object({
        ...JobId.properties,
        token: JobToken,
        filesize: described(Type.Optional(Type.Integer()), 'Size of the upload, in bytes.'),
      }),
      responses: {
        200: Type.Object({
          MaximumSize: described(Type.Integer(), 'Maximum size of an artifact, in bytes.'),
        }),
      },
      run: async ({ params, request }) => {
        const job = await authenticateJob(database, params.id, jobTokenOf(request.headers, params.token))
        const limit = await artifacts.limitOf(job.project_id)
        if ((params.filesize ?? 0) > limit) throw apiError('artifact_too_large', { max: limit })
        return { MaximumSize: limit }
      },
    }),
    operation('POST /jobs/:id/artifacts', {
      summary: 'Upload an artifact of a job',
      access: 'anyone',
      params: Upload,
      body: 'stream',
      responses: { 201: Type.Integer() },
      run: async ({ params, request }) => {
        const job = await authenticateJob(database, params.id, jobTokenOf(request.headers))
        const uploadDeps = { ...deps.engine, artifacts, expireSeconds: deps.expireSeconds, spool: deps.spool }
        await uploadArtifact(uploadDeps, job, params, request.raw)
        return respond(201, 201)
      },
    }),
    operation('GET /jobs/:id/artifacts', {
      summary: 'Download the artifacts archive of a needed job',
      access: 'anyone',
      params: Type.Object({ ...JobId.properties, token: JobToken, direct_download: DirectDownload }),
      responses: { 200: Type.Unknown(), 302: NoBody },
      run: ({ params, request }) =>
        downloadDependency(
          { ...deps.engine, artifacts },
          params.id,
          jobTokenOf(request.headers, params.token),
          request.headers,
          { mayRedirect: params.direct_download === true && request.method === 'GET' },
        ),
    }),
  ]
}
