import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { ApiClient, JobRecord } from './api-client.js'
import { listArchive } from './list-archive.js'
import type { WatchedPipeline } from './watch-pipeline.js'

/** The last line of the output with `--json`. */
export interface SampleReport {
  pipeline: { id: number; status: string }
  /** `duration` is in seconds, and null for a job that never started. */
  jobs: { name: string; stage: string; status: string; duration: number | null }[]
  /** Every file of every archive, with `size` in bytes. */
  artifacts: { job: string; path: string; size: number }[]
}

export async function reportSample(
  api: ApiClient,
  projectId: number,
  { pipeline, jobs }: WatchedPipeline,
): Promise<SampleReport> {
  return {
    pipeline: { id: pipeline.id, status: pipeline.status },
    jobs: jobs.map(({ name, stage, status, duration }) => ({ name, stage, status, duration })),
    artifacts: await listArtifacts(api, projectId, jobs),
  }
}

async function listArtifacts(
  api: ApiClient,
  projectId: number,
  jobs: JobRecord[],
): Promise<SampleReport['artifacts']> {
  const folder = await mkdtemp(join(tmpdir(), 'switchyard-up-'))
  try {
    const artifacts: SampleReport['artifacts'] = []
    for (const job of jobs.filter((candidate) => candidate.artifacts_file)) {
      const file = join(folder, `${job.id}.zip`)
      await api.downloadArtifacts(projectId, job.id, file)
      artifacts.push(...(await listArchive(file)).map(({ path, size }) => ({ job: job.name, path, size })))
    }
    return artifacts
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
