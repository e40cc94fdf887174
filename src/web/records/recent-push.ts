import type { Event } from '../../coordinator/integrations/activity-events/schema.js'
import { HOUR } from '../../lib/time-units.js'

type PushEvent = Pick<Event, 'id' | 'project_id' | 'created_at' | 'push_data'>

export interface RecentPush {
  eventId: number
  projectId: number
  branch: string
  /** Time of the push. */
  time: string
}

/** Pushes are recent for so long, in milliseconds. */
export const RECENT = 2 * HOUR

/**
 * The last recent push to a branch of these projects that still exists.
 * @param events pushes of one user in any projects, the newest first
 * @param isLeftOut whether a branch or event is not wanted
 */
export function findRecentPush(
  events: readonly PushEvent[],
  projectIds: ReadonlySet<number>,
  now: number,
  isLeftOut: (push: RecentPush) => boolean,
): RecentPush | undefined {
  const deleted = new Set<string>()
  for (const { id: eventId, project_id: projectId, created_at: time, push_data: push } of events) {
    if (projectId === null || !projectIds.has(projectId) || push?.ref_type !== 'branch') continue
    if (push.ref === null) continue
    if (now - Date.parse(time) > RECENT) return undefined
    const key = `${projectId} ${push.ref}`
    if (push.action === 'removed') deleted.add(key)
    const found = { eventId, projectId, branch: push.ref, time }
    if (!deleted.has(key) && !isLeftOut(found)) return found
  }
  return undefined
}

/** Whether some of the pushes are recent, and to other projects than this one. */
export function hasOtherPushes(events: readonly PushEvent[], projectId: number, now: number): boolean {
  return events.some(
    ({ project_id: id, created_at: time }) =>
      id !== null && id !== projectId && now - Date.parse(time) <= RECENT,
  )
}
