import type { ContainerWorkspace } from '../../executor.js'
import type { OutputRecord } from '../../output-record.js'
import { planOutputFiles } from '../../output/plan-output-files.js'
import type { DockerExecutorSettings } from '../settings.js'

/**
 * The files for the output of a job. Undefined if the container mounts no directory for them, or the settings leave the
 * output to the engine.
 */
export function planOutput(
  { output }: Pick<ContainerWorkspace, 'output'>,
  { scriptOutput, outputLimitBytes }: Pick<DockerExecutorSettings, 'scriptOutput' | 'outputLimitBytes'>,
): OutputRecord | undefined {
  return output && scriptOutput !== 'engine' ? planOutputFiles(output.hostPath, outputLimitBytes) : undefined
}
