import { Type } from 'typebox'

import type { JobRow } from '../../engine/rows.js'
import { invalidParameters, notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, type Project } from '../../http/operation.js'
import { downloadArchive, downloadFile, findJobOfRef } from './artifact-downloads.js'
import { jobOf, type JobOperationsDeps, jobRecord } from './job-operations-deps.js'
import { checkMayReadArtifacts, checkMayReadTrace } from './read-access.js'
import { Job, JobId } from './schema.js'
import { sendTrace } from './send-trace.js'

const Bytes = Type.Unknown({ description: 'The bytes of a file' })
const ByRef = Type.Object({ ref_name: Type.String(), job: Type.String() })

/** Logs and artifacts. */
export function jobFileOperations(deps: JobOperationsDeps): Operation[] {
  return [...filesOfJob(deps), ...filesOfRef(deps), ...keeping(deps)]
}

function filesOfJob(deps: JobOperationsDeps): Operation[] {
  const downloads = { database: deps.engine.database, artifacts: deps.artifacts }
  return [
    operation('GET /projects/:id/jobs/:job_id/trace', {
      summary: 'Read the log of a job',
      access: 'read_pipelines',
      params: JobId,
      answers: { 200: Bytes },
      run: async (call) => {
        const job = await jobOf(deps, call.project, call.params.job_id)
        checkMayReadTrace(call, job)
        deps.traceReaders.note(job.id)
        return sendTrace(deps.traces, job, call.request.headers.range)
      },
    }),
    operation('GET /projects/:id/jobs/:job_id/artifacts', {
      summary: 'Download the archive of a job',
      access: 'read_pipelines',
      jobToken: true,
      params: JobId,
      answers: { 200: Bytes },
      run: async (call) => {
        const job = await jobOf(deps, call.project, call.params.job_id)
        checkMayReadArtifacts(call, job)
        return downloadArchive(downloads, job, call.request.headers.range)
      },
    }),
    operation('GET /projects/:id/jobs/:job_id/artifacts/*artifact_path', {
      summary: 'Download one file of the archive of a job',
      access: 'read_pipelines',
      jobToken: true,
      params: Type.Object({ ...JobId.properties, artifact_path: Type.String() }),
      answers: { 200: Bytes },
      run: async (call) => {
        const job = await jobOf(deps, call.project, call.params.job_id)
        checkMayReadArtifacts(call, job)
        return downloadFile(downloads, job, call.params.artifact_path)
      },
    }),
  ]
}

function filesOfRef(deps: JobOperationsDeps): Operation[] {
  const downloads = { database: deps.engine.database, artifacts: deps.artifacts }
  return [
    operation('GET /projects/:id/jobs/artifacts/:ref_name/download', {
      summary: 'Download the archive of a job of the latest successful pipeline of a branch or tag',
      access: 'read_pipelines',
      jobToken: true,
      params: ByRef,
      answers: { 200: Bytes },
      run: async (call) => {
        const { ref_name, job } = call.params
        return downloadArchive(
          downloads,
          await readableOfRef(call, ref_name, job),
          call.request.headers.range,
        )
      },
    }),
    operation('GET /projects/:id/jobs/artifacts/:ref_name/raw/*artifact_path', {
      summary: 'Download one file of such an archive',
      access: 'read_pipelines',
      jobToken: true,
      params: Type.Object({ ...ByRef.properties, artifact_path: Type.String() }),
      answers: { 200: Bytes },
      run: async (call) => {
        const { ref_name, job, artifact_path } = call.params
        return downloadFile(downloads, await readableOfRef(call, ref_name, job), artifact_path)
      },
    }),
    operation('GET /projects/:id/jobs/artifacts/*ref_and_file', {
      summary: 'The two downloads by branch or tag, for names whose slashes are not encoded',
      access: 'read_pipelines',
      jobToken: true,
      params: Type.Object({ ref_and_file: Type.String(), job: Type.Optional(Type.String()) }),
      answers: { 200: Bytes },
      run: async (call) => {
        const asked = splitRefAndFile(call.params.ref_and_file)
        if (!asked) throw notFound()
        const { job: name } = call.params
        if (name === undefined) throw invalidParameters('job is missing')
        const job = await readableOfRef(call, asked.ref, name)
        return asked.path === undefined
          ? downloadArchive(downloads, job, call.request.headers.range)
          : downloadFile(downloads, job, asked.path)
      },
    }),
  ]

  async function readableOfRef(
    call: { project: Project; accessLevel: number },
    ref: string,
    name: string,
  ): Promise<JobRow> {
    const job = await findJobOfRef(downloads, call.project, ref, name)
    checkMayReadArtifacts(call, job)
    return job
  }
}

/** A branch may have slashes; what follows the last `/raw/`, or nothing before `/download`, is not part of it. */
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
      summary: 'Keep the artifacts of a job for ever',
      access: 'run_pipelines',
      params: JobId,
      answers: { 200: Job },
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
      answers: { 204: NoBody },
      run: async ({ project, params }) => {
        await artifacts.deleteOfJob(await jobOf(deps, project, params.job_id))
      },
    }),
    operation('DELETE /projects/:id/artifacts', {
      summary: 'Let all artifacts of a project expire, those apart that are kept as the latest ones',
      access: 'delete_artifacts',
      answers: { 202: Type.Object({ message: Type.String() }) },
      run: async ({ project }) => {
        await artifacts.expireAllOf(project.id)
        return { message: '202 Accepted' }
      },
    }),
  ]
}
