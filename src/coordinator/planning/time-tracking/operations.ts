import type { TObject } from 'typebox'

import type { ProjectPermission } from '../../access/permissions.js'
import type { Database } from '../../database/connect.js'
import { type Call, type Operation, operation, type Route } from '../../http/operation.js'
import type { CallerInProject } from '../access/issue-access.js'
import {
  type Estimate,
  estimateOf,
  spentTimeOf,
  TimeStats,
  timeStats,
  type Tracked,
  type TrackedChanges,
} from './time-tracking.js'
import type { TrackTime } from './track-time.js'

/** Differences between issues and merge requests. `Key` has the parameter that names the record. */
export interface TimeTracked<Key> {
  routes: Record<'stats' | 'estimate' | 'resetEstimate' | 'spend' | 'resetSpent', Route>
  /** Noun phrase for summaries: `an issue`. */
  of: string
  read: ProjectPermission
  manage: ProjectPermission
  params: { record: TObject; estimate: WithDuration; spend: WithDuration }
  iid: (params: Key) => number
  /** Throws 404 for an unknown record. */
  find: (database: Database, caller: CallerInProject, iid: number) => Promise<Tracked>
  track: TrackTime
}

type WithDuration = TObject<{ duration: typeof Estimate }>

/** The estimated time of records, and the time spent (API, F2 and F4). */
export function timeOperationsOn<Key>(deps: { database: Database }, tracked: TimeTracked<Key>): Operation[] {
  const { routes, of, read, manage, params } = tracked
  // All of `params` have the parameter that names the record.
  const iidIn = (call: Call<ProjectPermission, unknown>): number => tracked.iid(call.params as Key)
  const track = (call: Call<ProjectPermission, unknown>, changes: TrackedChanges): Promise<TimeStats> =>
    tracked.track(deps, call, iidIn(call), changes)
  return [
    operation(routes.stats, {
      summary: `Get the time tracking of ${of}`,
      access: read,
      params: params.record,
      responses: { 200: TimeStats },
      run: async (call) => timeStats(await tracked.find(deps.database, call, iidIn(call))),
    }),
    operation(routes.estimate, {
      summary: `Set the time estimate of ${of}`,
      access: manage,
      params: params.estimate,
      responses: { 200: TimeStats },
      run: async (call) => track(call, estimateOf(call.params.duration)),
    }),
    operation(routes.resetEstimate, {
      summary: `Reset the time estimate of ${of}`,
      access: manage,
      params: params.record,
      responses: { 200: TimeStats },
      run: (call) => track(call, { time_estimate: 0 }),
    }),
    operation(routes.spend, {
      summary: `Add time spent on ${of}`,
      access: manage,
      params: params.spend,
      responses: { 201: TimeStats },
      run: async (call) => track(call, spentTimeOf(call.params.duration)),
    }),
    operation(routes.resetSpent, {
      summary: `Reset the time spent on ${of}`,
      access: manage,
      params: params.record,
      responses: { 200: TimeStats },
      run: (call) => track(call, { total_time_spent: 0 }),
    }),
  ]
}
