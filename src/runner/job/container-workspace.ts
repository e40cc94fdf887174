import type { ContainerWorkspace } from '../executor/executor.js'
import type { JobVariables } from '../variables/job-variables.js'
import type { JobWorkspace } from '../workspace/workspace.js'
import { STAGE_SCRIPT } from './stages/run-scripts.js'

/** The workspace of a job as its container sees it. */
export function containerWorkspace(
  workspace: JobWorkspace,
  { values }: Pick<JobVariables, 'values'>,
): ContainerWorkspace {
  return {
    mounts: workspace.mounts,
    workingDirectory: workspace.projectDir,
    scriptPath: `${workspace.temporaryDir}/${STAGE_SCRIPT}`,
    output: workspace.output,
    environment: { ...workspace.environment, ...Object.fromEntries(values) },
  }
}
