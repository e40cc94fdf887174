import type { Selectable } from 'kysely'

import { badRequestSentence } from './errors.js'
import { connectionStatus } from './runner-status.js'
import type { RunnerFilters } from './schema.js'
import type { RunnerTable } from './table.js'

type Runner = Selectable<RunnerTable>

const STATES = ['active', 'paused', 'online', 'offline']
const KINDS = ['specific', 'shared']

/** Throws 400 for a `scope` that the list does not know. */
export function checkScope(scope: string | undefined, withKinds: boolean): void {
  const known = withKinds ? [...STATES, ...KINDS] : STATES
  if (scope !== undefined && !known.includes(scope)) throw badRequestSentence('Scope contains invalid value')
}

/** The runners that all filters let through; of tags, every one must be the runner's. */
export function filterRunners(runners: Runner[], filters: RunnerFilters, now: number): Runner[] {
  return runners.filter(
    (runner) =>
      (filters.type === undefined || runner.runner_type === filters.type) &&
      (filters.paused === undefined || runner.active !== filters.paused) &&
      fitsState(runner, filters.status, now) &&
      fitsScope(runner, filters.scope, now) &&
      (filters.tag_list ?? []).every((tag) => runner.tag_list.includes(tag)) &&
      (runner.version ?? '').startsWith(filters.version_prefix ?? ''),
  )
}

function fitsScope(runner: Runner, scope: string | undefined, now: number): boolean {
  if (scope === 'shared') return runner.runner_type === 'instance_type'
  if (scope === 'specific') return runner.runner_type === 'project_type'
  return fitsState(runner, scope, now)
}

function fitsState(runner: Runner, state: string | undefined, now: number): boolean {
  switch (state) {
    case undefined:
      return true
    case 'active':
      return runner.active
    case 'paused':
      return !runner.active
    case 'offline':
      return ['offline', 'stale'].includes(connectionStatus(runner, now))
    default:
      return connectionStatus(runner, now) === state
  }
}
