import type { JobLog } from '../../trace/job-log.js'
import type { SelectedFiles, Workspace } from '../../workspace/workspace.js'
import type { JobControl } from '../job-control.js'

/** The workspace, for stages that read and write its files in this process. */
export interface OwnWorkspace {
  workspace: Workspace
}

/** The abort signals of a job (`JobControl`) that its file stages obey. */
export interface StageSignals {
  control: Pick<JobControl, 'work' | 'files'>
}

/** Name of a section in the log, and its title (runner protocol, 7.1). */
export interface JobStage {
  name: string
  title: string
}

/** The stages in the order in which a job runs them. The steps of the script come between the two groups. */
export const STAGES = {
  resolveSecrets: { name: 'resolve_secrets', title: 'Resolving secrets' },
  prepareScript: { name: 'prepare_script', title: 'Preparing environment' },
  getSources: { name: 'get_sources', title: 'Getting source from Git repository' },
  restoreCache: { name: 'restore_cache', title: 'Restoring cache' },
  clearWorkTree: {
    name: 'clear_worktree',
    title: 'Deleting all tracked and untracked files due to source fetch failure',
  },
  downloadArtifacts: { name: 'download_artifacts', title: 'Downloading artifacts' },

  afterScript: { name: 'after_script', title: 'Running after_script' },
  saveCache: { name: 'archive_cache', title: 'Saving cache for successful job' },
  saveCacheOnFailure: { name: 'archive_cache_on_failure', title: 'Saving cache for failed job' },
  uploadOnSuccess: {
    name: 'upload_artifacts_on_success',
    title: 'Uploading artifacts for successful job',
  },
  uploadOnFailure: { name: 'upload_artifacts_on_failure', title: 'Uploading artifacts for failed job' },
  cleanUp: {
    name: 'cleanup_file_variables',
    title: 'Cleaning up project directory and file based variables',
  },
} as const satisfies Record<string, JobStage>

/** `executor`: the name in the settings of the runner. */
export function prepareStage(executor: string): JobStage {
  return { name: 'prepare_executor', title: `Preparing the "${executor}" executor` }
}

export function stepStage(stepName: string): JobStage {
  const name = `step_${stepName.toLowerCase()}`
  return { name, title: `Executing "${name}" stage of the job script` }
}

export async function inStage<T>(log: JobLog, stage: JobStage, work: () => Promise<T>): Promise<T> {
  const leave = log.enterStage(stage.name)
  try {
    return await log.section(stage.name, stage.title, work)
  } finally {
    leave()
  }
}

/** Maximum number of skipped files that are named in the log. */
const MAX_SKIPPED = 20

/** A job chooses the names of its files, which must not write other lines of the log. */
function printable(name: string): string {
  return name.replace(/\p{Cc}/gu, (character) => `\\x${Buffer.from(character, 'latin1').toString('hex')}`)
}

/** Logs which files the patterns of an artifact or a cache selected. `left` completes the sentence "is not …". */
export function logSelection(
  { log, workspace }: { log: JobLog; workspace: Pick<Workspace, 'projectDir'> },
  files: SelectedFiles,
  left: 'uploaded' | 'cached',
): void {
  for (const pattern of files.refused) {
    log.warning(`${pattern}: is outside the project directory and is not ${left}`)
  }
  for (const name of files.skipped.slice(0, MAX_SKIPPED)) {
    log.warning(`${printable(name)}: cannot be part of an archive and is not ${left}`)
  }
  const more = files.skipped.length - MAX_SKIPPED
  if (more > 0) log.warning(`${more} more files cannot be part of an archive and are not ${left}`)
  for (const { pattern, count } of files.matches) {
    if (count > 0) log.plain(`${pattern}: found ${count} matching artifact files and directories`)
    else {
      log.warning(
        `${pattern}: no matching files. Ensure that the artifact path is relative to the working directory (${workspace.projectDir})`,
      )
    }
  }
}
