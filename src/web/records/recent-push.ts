import type { Event } from '../../coordinator/integrations/activity-events/schema.js'
import { HOUR } from '../../lib/time-units.js'

type PushEvent = Pick<Event, 'id' | 'project_id' | 'created_at' | 'push_data'>

export interface RecentPush {
  eventId: number
  branch: string
  /** Time of the push. */
  time: string
}

/** Pushes are recent for so long, in milliseconds. */
export const RECENT = 2 * HOUR

/**
 * The last recent push to a branch of a project that still exists.
 * @param events pushes of one user in any projects, the newest first
 * @param isLeftOut whether a branch or event is not wanted
 */
export function findRecentPush(
  events: readonly PushEvent[],
  projectId: number,
  now: number,
  isLeftOut: (push: RecentPush) => boolean,
): RecentPush | undefined {
  const deleted = new Set<string>()
  for (const { id, project_id, created_at: time, push_data: push } of events) {
    if (project_id !== projectId || push?.ref_type !== 'branch' || push.ref === null) continue
    if (now - Date.parse(time) > RECENT) return undefined
    if (push.action === 'removed') deleted.add(push.ref)
    const found = { eventId: id, branch: push.ref, time }
    if (!deleted.has(push.ref) && !isLeftOut(found)) return found
  }
  return undefined
}
