import { SourcesError } from '../workspace/errors.js'
import type { JobContext } from './job-context.js'
import { runScript } from './run-scripts.js'

type Needs = Pick<
  JobContext,
  'payload' | 'entry' | 'workspace' | 'variables' | 'environment' | 'log' | 'control' | 'timeoutSeconds'
>

export type HookName = 'pre_get_sources_script' | 'post_get_sources_script'

/**
 * Runs what stands around the sources, in the job's own container: what it sets there does not reach git on the host.
 * The runner's script is the outer one (runner protocol, 7.9). Throws `SourcesError` when it fails.
 */
export async function runHook(job: Needs, name: HookName): Promise<void> {
  const commands = hookCommands(job, name)
  if (commands.length === 0) return
  const exitCode = await runScript(job, { name, title: name }, { commands }, job.control.work)
  if (exitCode !== 0) throw new SourcesError(`${name} failed: exit code ${exitCode}`, exitCode)
}

function hookCommands({ payload, entry }: Needs, name: HookName): string[] {
  const ofJob = (payload.hooks ?? []).filter((hook) => hook.name === name).flatMap(({ script }) => script)
  const { preGetSourcesScript: before, postGetSourcesScript: after } = entry
  if (name === 'pre_get_sources_script') return before === undefined ? ofJob : [before, ...ofJob]
  return after === undefined ? ofJob : [...ofJob, after]
}
