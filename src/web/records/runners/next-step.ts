import type { QueueOverview } from '../../../coordinator/ci/runner-statistics/schema.js'

export type WaitingGroup = QueueOverview['groups'][number]

const STEPS: Record<string, string> = {
  no_runner: 'Create a runner for these projects.',
  untagged: 'Let a runner run untagged jobs, or give the jobs the tags of a runner.',
  protected: 'Protect the branches, or let a runner run jobs of unprotected refs.',
  paused: 'Resume one of the runners.',
  offline: 'Start one of the runners.',
  busy: 'Add a runner, or let a runner run more jobs at the same time.',
  queued: 'A runner takes them with its next request.',
  resource_group: 'Wait for the job that has the resource.',
}

/** What helps jobs that wait for this reason, as a sentence. */
export function nextStep({
  reason,
  missing_tags: missing,
}: Pick<WaitingGroup, 'reason' | 'missing_tags'>): string {
  if (reason === 'missing_tags' && missing.length > 0) {
    const tags = missing.map((tag) => `"${tag}"`).join(', ')
    return `Give a runner the ${missing.length === 1 ? 'tag' : 'tags'} ${tags}.`
  }
  return STEPS[reason] ?? ''
}

const NEEDS_HELP = new Set(['no_runner', 'missing_tags', 'untagged', 'protected', 'paused', 'offline'])

/** Whether the jobs wait forever unless somebody does something. */
export function isStuck({ reason }: Pick<WaitingGroup, 'reason'>): boolean {
  return NEEDS_HELP.has(reason)
}
