import { addressOf, type Query } from '../../../addresses/address-of.js'
import { groupApi, projectApi } from '../../../addresses/first-reads.js'

/** Whose runners a page shows: those of the instance, or those that may take jobs of a group or of a project. */
export interface RunnerScope {
  kind: 'instance' | 'group' | 'project'
  /** Full path of the group or project; empty for the instance. */
  path: string
  /** ID of the group or project; 0 for the instance. */
  id: number
}

export const INSTANCE: RunnerScope = { kind: 'instance', path: '', id: 0 }

/** The path of the runners of a scope in the API, such as `/projects/app/runners`. */
export function runnersApi({ kind, path }: RunnerScope): string {
  if (kind === 'instance') return '/runners'
  return `${kind === 'group' ? groupApi(path) : projectApi(path)}/runners`
}

/** The path of their list. */
export function runnersList(scope: RunnerScope): string {
  return scope.kind === 'instance' ? '/runners/all' : runnersApi(scope)
}

/** The topic of the stream. */
export function runnersTopic({ kind, id }: RunnerScope): string {
  return kind === 'instance' ? 'runners' : `runners/${kind}/${id}`
}

/** Parameters of `POST /user/runners` for a new runner of the scope. */
export function newRunnerParams({ kind, id }: RunnerScope): Record<string, string | number> {
  return { runner_type: `${kind}_type`, ...(kind !== 'instance' && { [`${kind}_id`]: id }) }
}

/** The address of the page of the runners. */
export function runnersAddress({ kind, path }: RunnerScope, query: Query = {}): string {
  if (kind === 'instance') return addressOf('admin/runners', {}, query)
  if (kind === 'group') return addressOf('groups/runners', { group: path }, query)
  return addressOf('runners/list', { project: path }, query)
}

/** The address of the page of one of them. */
export function runnerAddress({ kind, path }: RunnerScope, runnerId: number): string {
  const id = String(runnerId)
  if (kind === 'instance') return addressOf('admin/runner', { id })
  if (kind === 'group') return addressOf('groups/runner', { group: path, id })
  return addressOf('runners/runner', { project: path, id })
}

/**
 * Whether those who manage the runners of a scope may change a runner that is listed there: one of the instance only
 * administrators change, and one of a group its owners, not those of its subgroups.
 */
export function isOwnRunner(
  { kind, id }: RunnerScope,
  { runner_type: type, group_id: group }: { runner_type: string; group_id: number | null },
): boolean {
  if (kind === 'group') return group === id
  return kind === 'instance' || type === 'project_type'
}
