import type { Database } from '../../database/connect.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { onlineSince } from '../queue/online.js'
import { findPendingReasons } from '../queue/waiting/find-pending-reasons.js'
import { presentNamedJob } from './present.js'
import type { QueueOverview } from './schema.js'
import {
  findNamedJobs,
  type NamedJob,
  type QueuedPart,
  queuedParts,
  type QueueScope,
  taggedRunners,
  waitingForResources,
} from './store.js'

/** Runners that are compared with missing tags. */
const MAX_COMPARED = 1000
const MAX_NEAR_MATCHES = 3

type Group = QueueOverview['groups'][number]

interface Reason {
  reason: string
  message: string
  missing_tags?: string[]
}

const FOR_RESOURCE: Reason = { reason: 'resource_group', message: 'Waits for a resource group.' }

/**
 * Jobs that wait now, by reason and tags. Jobs that the queue cannot tell apart have one reason. Runners that nearly match
 * are named for all jobs only, because not everyone may see them.
 */
export async function queueOverview(
  { database, externalUrl }: { database: Database; externalUrl: string },
  now: number,
  scope?: QueueScope,
): Promise<QueueOverview> {
  const queued = await queuedParts(database, scope)
  const reasons = await findPendingReasons(
    database,
    queued.map(({ job_id }) => job_id),
    { withPosition: false },
  )
  const held = await waitingForResources(database, scope)
  const groups = groupsOf([
    // A job without a reason has left the queue.
    ...queued.flatMap((part): Found[] => {
      const reason = reasons.get(part.job_id)
      return reason ? [{ part, reason }] : []
    }),
    ...held.map((part) => ({ part, reason: FOR_RESOURCE })),
  ])
  const jobs = await findNamedJobs(
    database,
    groups.map(({ oldest }) => oldest.job_id),
  )
  const nearly = scope ? new Map<FoundGroup, Group['nearly']>() : await nearlyMatching(database, groups, now)
  const oldest = groups[0]?.oldest.oldest_at
  return {
    count: groups.reduce((sum, { count }) => sum + count, 0),
    oldest_at: oldest === undefined ? null : isoTime(oldest),
    groups: groups.flatMap((group) => {
      const job = jobs.get(group.oldest.job_id)
      return job ? [presentGroup(group, job, nearly.get(group) ?? [], externalUrl)] : []
    }),
  }
}

interface Found {
  part: QueuedPart
  reason: Reason
}

interface FoundGroup {
  reason: Reason
  tags: string[]
  count: number
  projects: Set<number>
  oldest: QueuedPart
}

/** The oldest first. */
function groupsOf(found: readonly Found[]): FoundGroup[] {
  const groups = new Map<string, FoundGroup>()
  for (const { part, reason } of found) {
    const key = JSON.stringify([reason.reason, reason.message, part.tags])
    const group = groups.get(key)
    if (!group) {
      const projects = new Set([part.project_id])
      groups.set(key, { reason, tags: part.tags, count: part.jobs, projects, oldest: part })
      continue
    }
    group.count += part.jobs
    group.projects.add(part.project_id)
    if (part.oldest_at < group.oldest.oldest_at) group.oldest = part
  }
  return [...groups.values()].toSorted((one, other) => one.oldest.oldest_at - other.oldest.oldest_at)
}

/** Runners that would match if they had one more tag. */
async function nearlyMatching(
  database: Database,
  groups: readonly FoundGroup[],
  now: number,
): Promise<Map<FoundGroup, Group['nearly']>> {
  const lacking = groups.filter(({ reason }) => reason.missing_tags)
  if (lacking.length === 0) return new Map()
  const runners = await taggedRunners(database, onlineSince(now), MAX_COMPARED)
  const tagged = runners.map(({ id, description, tag_list }) => ({
    id,
    description,
    tags: new Set(tag_list),
  }))
  return new Map(
    lacking.map((group) => {
      const near = tagged.flatMap(({ id, description, tags }): Group['nearly'] => {
        const missing = group.tags.filter((tag) => !tags.has(tag))
        const [missing_tag] = missing
        return missing.length === 1 && missing_tag !== undefined ? [{ id, description, missing_tag }] : []
      })
      return [group, near.slice(0, MAX_NEAR_MATCHES)]
    }),
  )
}

function presentGroup(
  { reason, tags, count, projects, oldest }: FoundGroup,
  job: NamedJob,
  nearly: Group['nearly'],
  externalUrl: string,
): Group {
  return {
    reason: reason.reason,
    message: reason.message,
    tags,
    missing_tags: reason.missing_tags ?? [],
    count,
    projects: projects.size,
    oldest_at: isoTime(oldest.oldest_at),
    oldest_job: presentNamedJob(job, externalUrl),
    nearly,
  }
}
