import type { JobLog } from '../../trace/job-log.js'
import type { SelectedFiles, Workspace } from '../../workspace/workspace.js'

/** Logs which files the patterns of an artifact or a cache selected. `left` completes the sentence "is not …". */
export function logSelection(
  { log, workspace }: { log: JobLog; workspace: Pick<Workspace, 'projectDir'> },
  files: SelectedFiles,
  left: 'uploaded' | 'cached',
): void {
  for (const pattern of files.refused) {
    log.warning(`${pattern}: is outside the project directory and is not ${left}`)
  }
  for (const name of files.skipped) {
    log.warning(`${name}: cannot be part of an archive and is not ${left}`)
  }
  for (const { pattern, count } of files.matches) {
    if (count > 0) log.plain(`${pattern}: found ${count} matching artifact files and directories`)
    else {
      log.warning(
        `${pattern}: no matching files. Ensure that the artifact path is relative to the working directory (${workspace.projectDir})`,
      )
    }
  }
}
