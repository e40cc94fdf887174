import type { PendingReason } from '../../../database/tables/job-columns.js'
import { fits, fitsTags, isInScope, type JobProfile, type KindProfile } from '../match.js'

/** Runners that are equivalent for a waiting job. */
export interface RunnerKind {
  profile: KindProfile
  /** CI language, 14.4. */
  isOnline: boolean
}

/**
 * The reason why no runner of these kinds may take the job; undefined if some may. The first failed check
 * counts, in the order scope, tags, protection, pause, connection (CI language, 14.1).
 */
export function findPendingReason(job: JobProfile, kinds: readonly RunnerKind[]): PendingReason | undefined {
  const inScope = kinds.filter(({ profile }) => isInScope(profile, job))
  if (inScope.length === 0) return noRunner(job)
  const tagged = inScope.filter(({ profile }) => fitsTags(profile, job.tags))
  if (tagged.length === 0) return wrongTags(job.tags, inScope)
  const allowed = tagged.filter(({ profile }) => fits(profile, job))
  if (allowed.length === 0) return PROTECTED
  const active = allowed.filter(({ profile }) => profile.active)
  if (active.length === 0) return PAUSED
  return active.some(({ isOnline }) => isOnline) ? undefined : OFFLINE
}

function noRunner({ instanceRunnersAllowed, groupRunnersAllowed }: JobProfile): PendingReason {
  const off = [
    ...(instanceRunnersAllowed ? [] : ['instance runners']),
    ...(groupRunnersAllowed ? [] : ['group runners']),
  ]
  const remedy = off.length > 0 ? `, and ${off.join(' and ')} are disabled for it` : ''
  return { reason: 'no_runner', message: `No runner is available to this project${remedy}.` }
}

function wrongTags(tags: readonly string[], kinds: readonly RunnerKind[]): PendingReason {
  if (tags.length === 0) {
    return {
      reason: 'untagged',
      message: 'The job has no tags, and every runner of this project requires tags.',
    }
  }
  const unknown = tags.filter((tag) => !kinds.some(({ profile }) => profile.tags.has(tag)))
  if (unknown.length === 0) {
    const message = `No runner of this project has all of the tags ${listed(tags)}.`
    return { reason: 'missing_tags', message, missing_tags: [...tags] }
  }
  const word = unknown.length === 1 ? 'tag' : 'tags'
  const message = `No runner of this project has the ${word} ${listed(unknown)}.`
  return { reason: 'missing_tags', message, missing_tags: unknown }
}

const list = new Intl.ListFormat('en', { type: 'conjunction' })

function listed(tags: readonly string[]): string {
  return list.format(tags.map((tag) => `"${tag}"`))
}

const PROTECTED: PendingReason = {
  reason: 'protected',
  message: 'All runners with the tags of the job take only jobs of protected branches and tags.',
}

const PAUSED: PendingReason = { reason: 'paused', message: 'All suitable runners are paused.' }

const OFFLINE: PendingReason = {
  reason: 'offline',
  message: 'No suitable runner has been in contact in the last two hours.',
}
