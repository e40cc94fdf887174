import type { JobArtifact } from '../../../protocol/job-payload.js'
import type { JobContext } from '../job-context.js'
import type { JobOutcome } from '../outcome.js'
import { downloadArtifacts, uploadArtifacts, type UploadNeeds, type UploadResult } from './artifacts.js'
import { restoreCaches, saveCaches } from './caches.js'
import type { FileStage } from './file-stage.js'

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
