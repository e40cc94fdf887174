import type { JobArtifact } from '../../../protocol/job-payload.js'
import type { JobContext } from '../job-context.js'
import type { JobOutcome } from '../outcome.js'
import { downloadArtifacts, uploadArtifacts, type UploadNeeds, type UploadResult } from './artifacts.js'
import { restoreCaches, saveCaches } from './caches.js'

/** The stages that move files between the workspace of a job and its servers, in the order in which they run. */
const FILE_STAGES = ['restore_caches', 'download_artifacts', 'save_caches', 'upload_artifacts'] as const
export type FileStage = (typeof FILE_STAGES)[number]

/** The stage with this name. Throws an error if there is none. */
export function readFileStage(name: string): FileStage {
  const stage = FILE_STAGES.find((known) => known === name)
  if (stage === undefined) throw new Error(`"${name}" is not a stage that moves files`)
  return stage
}

/**
 * Runs a stage where the files are: in this process, or in the helper process beside the job. May be called again for the
 * same stage after it failed or was interrupted. `isSuccess`: the result of the scripts, for the stages after them.
 */
export type RunFileStage = (stage: FileStage, isSuccess: boolean) => Promise<JobOutcome>

/** What these stages need of a job. */
export type FileStageJob = UploadNeeds & Pick<JobContext, 'caches' | 'damagedCaches' | 'temporaryDir'>

/** Runs a stage in this process. `upload` is called for each artifact of the stage `upload_artifacts`. */
export async function runFileStage(
  job: FileStageJob,
  stage: FileStage,
  isSuccess: boolean,
  upload: (job: UploadNeeds, artifact: JobArtifact) => Promise<UploadResult>,
): Promise<JobOutcome> {
  switch (stage) {
    case 'restore_caches':
      return await restoreCaches(job)
    case 'download_artifacts':
      return await downloadArtifacts(job)
    case 'save_caches':
      return await saveCaches(job, isSuccess)
    case 'upload_artifacts':
      return await uploadArtifacts(job, isSuccess, upload)
  }
}
