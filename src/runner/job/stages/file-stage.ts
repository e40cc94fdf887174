import type { JobCache, JobPayload } from '../../../protocol/job-payload.js'
import type { JobOutcome } from '../outcome.js'

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

/** Whether the job names files for a stage. Without any, the stage does nothing, so that no helper process needs to load it. */
export function hasFilesFor(
  stage: FileStage,
  { cache, dependencies, artifacts }: Pick<JobPayload, 'cache' | 'dependencies' | 'artifacts'>,
): boolean {
  switch (stage) {
    case 'restore_caches':
    case 'save_caches':
      return cache?.some(selectsFiles) ?? false
    case 'download_artifacts':
      return dependencies?.some(({ artifacts_file }) => artifacts_file) ?? false
    case 'upload_artifacts':
      return artifacts?.some(selectsFiles) ?? false
  }
}

/** Whether a cache or an artifact names files. */
export function selectsFiles({ untracked, paths }: Pick<JobCache, 'untracked' | 'paths'>): boolean {
  return untracked === true || (paths?.length ?? 0) > 0
}
