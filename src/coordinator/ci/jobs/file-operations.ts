import { Type } from 'typebox'

import type { Project } from '../../access/caller.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import { invalidParameters, notFound } from '../../http/errors.js'
import { type ApiResponse, NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { described, optional } from '../../http/parameters/described.js'
import { REF_NAME } from '../../http/parameters/ref-name.js'
import { downloadArchive, downloadFile, findJobOfRef, redirectOf } from './artifacts/artifact-downloads.js'
import { downloadFolder, listArchive } from './artifacts/browse-archive.js'
import { ArtifactTreeEntry } from './artifacts/tree-schema.js'
import { jobOf, type JobOperationsDeps, jobRecord } from './job-operations-deps.js'
import { checkMayReadArtifacts } from './read-access.js'
import { Job, JobId } from './schema.js'
import { sendTrace } from './trace/send-trace.js'
import { startTraceCheck } from './trace/trace-check.js'

const Accepted = Type.Object({ message: described(Type.String(), '`202 Accepted`.') })
const Bytes = Type.Unknown({ description: 'Content of the file' })
const SearchRecent = optional(
  Type.Boolean(),
  'Whether to search earlier successful pipelines if the latest one has no such job; false by default.',
)
const ByRef = Type.Object({
  ref_name: described(Type.String(), `Branch or tag: ${REF_NAME}.`),
  job: described(Type.String(), 'Name of the job.'),
  search_recent_successful_pipelines: SearchRecent,
})
const ArtifactPath = described(Type.String(), 'Path of the file in the archive, with unencoded slashes.')

/** Logs and artifacts. */
export function jobFileOperations(deps: JobOperationsDeps): Operation[] {
  return [...filesOfJob(deps), ...filesOfRef(deps), ...keeping(deps)]
}

function filesOfJob(deps: JobOperationsDeps): Operation[] {
  const downloads = { artifacts: deps.artifacts }
  return [
    operation('GET /projects/:id/jobs/:job_id/trace', {
      summary: 'Get the log of a job',
      access: 'read_pipelines',
      params: JobId,
      responses: { 200: Bytes },
      run: async (call) => {
        const job = await jobOf(deps, call.project, call.params.job_id)
        const check = startTraceCheck(deps.engine.database, call, job)
        deps.traceReaders.recordRead(job.id)
        return sendTrace({ engine: deps.engine, traces: deps.traces, check }, job, call.request.headers)
      },
    }),
    operation('GET /projects/:id/jobs/:job_id/artifacts', {
      summary: 'Download the artifacts archive of a job',
      access: 'read_pipelines',
      jobToken: true,
      params: JobId,
      responses: { 200: Bytes, 302: NoBody },
      run: async (call) => {
        const job = await readableJob(call, call.params.job_id)
        return downloadArchive(downloads, job, call.request.headers, redirectOf(call.request))
      },
    }),
    operation('GET /projects/:id/jobs/:job_id/artifacts/tree', {
      summary: 'List the files in a folder of the artifacts archive of a job',
      access: 'read_pipelines',
      jobToken: true,
      params: Type.Object({
        ...JobId.properties,
        path: optional(Type.String(), 'Path of the folder in the archive; its root by default.'),
        search: optional(
          Type.String(),
          'Only entries of the folder whose name contains this text, in any case.',
        ),
      }),
      responses: { 200: Type.Array(ArtifactTreeEntry) },
      paginated: true,
      cacheable: true,
      run: async (call) => {
        const job = await readableJob(call, call.params.job_id)
        return listArchive(downloads, job, call.params, call)
      },
    }),
    operation('GET /projects/:id/jobs/:job_id/artifacts/folder', {
      summary: 'Download a folder of the artifacts archive of a job as a zip',
      access: 'read_pipelines',
      jobToken: true,
      params: Type.Object({
        ...JobId.properties,
        path: optional(
          Type.String(),
          'Path of the folder in the archive. If absent, the file `folder` of the archive is sent.',
        ),
      }),
      responses: { 200: Bytes },
      run: async (call) => {
        const { job_id, path } = call.params
        const job = await readableJob(call, job_id)
        if (path === undefined) return downloadFile(downloads, job, 'folder', call)
        return downloadFolder(downloads, job, path, call)
      },
    }),
    operation('GET /projects/:id/jobs/:job_id/artifacts/*artifact_path', {
      summary: 'Download a file from the artifacts archive of a job',
      access: 'read_pipelines',
      jobToken: true,
      params: Type.Object({ ...JobId.properties, artifact_path: ArtifactPath }),
      responses: { 200: Bytes },
      run: async (call) => {
        const job = await readableJob(call, call.params.job_id)
        return downloadFile(downloads, job, call.params.artifact_path, call)
      },
    }),
  ]

  async function readableJob(call: { project: Project; accessLevel: number }, id: number): Promise<JobRow> {
    const job = await jobOf(deps, call.project, id)
    checkMayReadArtifacts(call, job)
    return job
  }
}

function filesOfRef(deps: JobOperationsDeps): Operation[] {
  const downloads = { artifacts: deps.artifacts }
  return [
    operation('GET /projects/:id/jobs/artifacts/:ref_name/download', {
      summary: 'Download the artifacts archive of a job from the latest successful pipeline of a ref',
      access: 'read_pipelines',
      jobToken: true,
      params: ByRef,
      responses: { 200: Bytes, 302: NoBody },
      run: async (call) => {
        const job = await readableOfRef(call, call.params.ref_name, call.params.job)
        return downloadArchive(downloads, job, call.request.headers, redirectOf(call.request))
      },
    }),
    operation('GET /projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path', {
      summary: 'Download a file from the artifacts archive of a job, by ref and job name',
      access: 'read_pipelines',
      jobToken: true,
      params: Type.Object({ ...ByRef.properties, artifact_path: ArtifactPath }),
      responses: { 200: Bytes },
      run: async (call) => {
        const { ref_name, job: name, artifact_path } = call.params
        const job = await readableOfRef(call, ref_name, name)
        return downloadFile(downloads, job, artifact_path, call)
      },
    }),
    operation('GET /projects/:id/jobs/artifacts/*ref_and_file', {
      summary:
        'Download artifacts by a ref with unencoded slashes; without a suffix, redirect to the download',
      access: 'read_pipelines',
      jobToken: true,
      params: Type.Object({
        ref_and_file: described(
          Type.String(),
          'Branch or tag, optionally followed by `/download`, or by `/raw/` and a path.',
        ),
        job: optional(Type.String(), 'Name of the job; required for a download.'),
        search_recent_successful_pipelines: SearchRecent,
      }),
      responses: { 200: Bytes, 302: NoBody },
      run: async (call) => {
        const asked = splitRefAndFile(call.params.ref_and_file)
        if (!asked) return toDownload(call.project, call.params.ref_and_file, call.request.url)
        const { job: name } = call.params
        if (name === undefined) throw invalidParameters('job is missing')
        const job = await readableOfRef(call, asked.ref, name)
        return asked.path === undefined
          ? downloadArchive(downloads, job, call.request.headers, redirectOf(call.request))
          : downloadFile(downloads, job, asked.path, call)
      },
    }),
  ]

  /** The older URL of an archive. */
  function toDownload({ id }: Project, ref: string, url: string): ApiResponse {
    const query = url.includes('?') ? url.slice(url.indexOf('?')) : ''
    const path = `/api/v4/projects/${id}/jobs/artifacts/${encodeURIComponent(ref)}/download${query}`
    return respond(302, undefined, { location: `${deps.externalUrl}${path}` })
  }

  async function readableOfRef(call: ByRefCall, ref: string, name: string): Promise<JobRow> {
    const isSearch = call.params.search_recent_successful_pipelines ?? false
    const job = await findJobOfRef(deps.engine, call.project, { ref, name, isSearch })
    checkMayReadArtifacts(call, job)
    return job
  }
}

interface ByRefCall {
  project: Project
  accessLevel: number
  params: { search_recent_successful_pipelines?: boolean }
}

/**
 * Splits a ref, which may contain slashes, from the suffix. The suffix starts at the last `/raw/` or is a
 * final `/download`.
 */
export function splitRefAndFile(tail: string): { ref: string; path?: string } | undefined {
  const download = /^(.+)\/download$/.exec(tail)
  if (download?.[1]) return { ref: download[1] }
  const raw = /^(.+)\/raw\/(.+)$/.exec(tail)
  return raw?.[1] && raw[2] ? { ref: raw[1], path: raw[2] } : undefined
}

function keeping(deps: JobOperationsDeps): Operation[] {
  const { artifacts } = deps
  return [
    operation('POST /projects/:id/jobs/:job_id/artifacts/keep', {
      summary: 'Keep the artifacts of a job',
      access: 'run_pipelines',
      params: JobId,
      responses: { 200: Job },
      run: async ({ project, params }) => {
        const job = await jobOf(deps, project, params.job_id)
        if (!(await artifacts.keep(job.id))) throw notFound()
        return jobRecord(deps, job)
      },
    }),
    operation('DELETE /projects/:id/jobs/:job_id/artifacts', {
      summary: 'Delete the artifacts of a job',
      access: 'delete_artifacts',
      params: JobId,
      responses: { 204: NoBody },
      run: async ({ project, params }) => {
        await artifacts.deleteOfJob(await jobOf(deps, project, params.job_id))
      },
    }),
    operation('DELETE /projects/:id/artifacts', {
      summary: 'Expire all artifacts of a project, except those of the latest successful pipelines',
      access: 'delete_artifacts',
      responses: { 202: Accepted },
      run: async ({ project }) => {
        await artifacts.expireAllOf(project.id)
        return { message: '202 Accepted' }
      },
    }),
  ]
}
