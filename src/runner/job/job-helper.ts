import type { EnvironmentHelper } from '../executor/environment-helper.js'
import type { JobContext } from './job-context.js'
import type { JobOutcome } from './outcome.js'
import type { FileStage } from './stages/file-stage.js'
import type { FileStageJob } from './stages/file-stages.js'

/** The helper of an environment, as far as jobs need it. */
export interface JobHelper extends EnvironmentHelper {
  /** As `RunFileStage`. An artifact that the coordinator does not accept now is stored by `job.steps`. */
  runFileStage(job: HelperStageJob, stage: FileStage, isSuccess: boolean): Promise<JobOutcome>
}

/** What a stage needs of a job whose workspace this helper opened. Clients and stores are created by the helper. */
export type HelperStageJob = Omit<
  FileStageJob,
  'workspace' | 'client' | 'caches' | 'temporaryDir' | 'registration' | 'job'
> &
  Pick<JobContext, 'registration'> & { steps: Pick<JobContext['steps'], 'storeArtifactForLater'> }

/** The executor, which knows no stages, gets its helpers from the same place as the jobs. Throws an error for another one. */
export function jobHelper(helper: EnvironmentHelper): JobHelper {
  if (isJobHelper(helper)) return helper
  throw new Error('The helper of the environment runs no stages')
}

function isJobHelper(helper: EnvironmentHelper): helper is JobHelper {
  return 'runFileStage' in helper
}
