import { fleet } from './fleet.mjs'
import { RunnerManager } from './runner.mjs'

/**
 * A place for one job at a time.
 * @typedef {{ runner: DemoRunner, manager: RunnerManager, isBusy: boolean }} Slot
 */

/** @typedef {{ id: number, token: string, plan: import('./fleet.mjs').RunnerPlan }} DemoRunner */

/** Creates the runners of the demo. @param {import('./api.mjs').Api} api @param {Map<string, number>} groupIds @param {Map<string, number>} projectIds @returns {Promise<DemoRunner[]>} */
export async function createRunners(api, groupIds, projectIds) {
  /** @type {DemoRunner[]} */
  const runners = []
  for (const plan of fleet) {
    const scope = plan.project
      ? { runner_type: 'project_type', project_id: projectIds.get(plan.project) }
      : plan.group
        ? { runner_type: 'group_type', group_id: groupIds.get(plan.group) }
        : { runner_type: 'instance_type' }
    const { id, token } = await api.post('/user/runners', {
      ...scope,
      description: plan.description,
      tag_list: plan.tags,
      run_untagged: plan.untagged ?? false,
      access_level: plan.isProtected ? 'ref_protected' : 'not_protected',
      ...(plan.note && { maintenance_note: plan.note }),
    })
    runners.push({ id, token, plan })
  }
  return runners
}

/** The places for jobs of a runner. @param {import('./api.mjs').Api} api @param {DemoRunner} runner @returns {Slot[]} */
export function slotsOf(api, runner) {
  const { description, kind, architecture, version, managers, slots = 1 } = runner.plan
  return (managers ?? [description]).flatMap((name) => {
    const systemId = `s_${name.replace(/\W+/g, '').slice(-12)}${String(runner.id).padStart(2, '0')}`
    const manager = new RunnerManager(api, {
      token: runner.token,
      systemId,
      kind,
      concurrency: slots,
      ...(architecture && { architecture }),
      ...(version && { version }),
    })
    return Array.from({ length: slots }, () => ({ runner, manager, isBusy: false }))
  })
}

/** Whether a runner may take jobs with a tag of a project. @param {DemoRunner} runner @param {string} tag @param {string} project */
export function serves({ plan }, tag, project) {
  if (!plan.tags.includes(tag)) return false
  if (plan.project) return plan.project === project
  return plan.group === undefined || project.startsWith(`${plan.group}/`)
}
