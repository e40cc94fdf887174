import { SourcesError } from '../../workspace/errors.js'
import { runScript, type ScriptNeeds } from './run-scripts.js'

export type HookName = 'pre_get_sources_script' | 'post_get_sources_script'

/**
 * Runs what stands around the sources, in the job's own container: what it sets there does not reach git on the host.
 * `key` tells this run from others, should a later process take it up. Throws `SourcesError` when it fails.
 */
export async function runHook(job: ScriptNeeds, name: HookName, key: string): Promise<void> {
  const stage = { name: key, title: name }
  const exitCode = await runScript(job, stage, { commands: hookCommands(job, name) }, job.control.work)
  if (exitCode !== 0) throw new SourcesError(`${name} failed: exit code ${exitCode}`, exitCode)
}

/** The runner's script is the outer one (runner protocol, 7.9). */
export function hookCommands(
  { payload, entry }: Pick<ScriptNeeds, 'payload' | 'entry'>,
  name: HookName,
): string[] {
  const ofJob = (payload.hooks ?? []).filter((hook) => hook.name === name).flatMap(({ script }) => script)
  const { preGetSourcesScript: before, postGetSourcesScript: after } = entry
  if (name === 'pre_get_sources_script') return before === undefined ? ofJob : [before, ...ofJob]
  return after === undefined ? ofJob : [...ofJob, after]
}
