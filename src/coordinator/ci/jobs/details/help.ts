import type { JobProfile } from '../../queue/match.js'
import type { JobWaiting, LinkedJob } from './schema.js'

const MAX_BLOCKERS = 10

interface Facts {
  missingTags?: string[] | undefined
  job?: Pick<JobProfile, 'instanceRunnersAllowed' | 'groupRunnersAllowed'>
}

/** What would help a waiting job, as a sentence; null if only time does. */
export function helpFor(reason: JobWaiting['reason'], { missingTags = [], job }: Facts = {}): string | null {
  switch (reason) {
    case 'approval':
      return 'Ask one of the approvers of the environment to approve the deployment.'
    case 'delayed':
      return 'Start the job now, or unschedule it.'
    case 'no_runner':
      return `Register a runner for the project${enabling(job)}.`
    case 'missing_tags':
      return `Give a runner the ${named(missingTags)}, or change the tags of the job.`
    case 'untagged':
      return 'Let a runner run untagged jobs, or give the job the tags of a runner.'
    case 'protected':
      return 'Protect the branch or tag, or let a runner run jobs of unprotected refs.'
    case 'paused':
      return 'Resume one of the runners.'
    case 'offline':
      return 'Start one of the runners.'
    case 'busy':
      return 'Add a runner, or let a runner run more jobs at the same time.'
    default:
      return null
  }
}

function enabling(job: Facts['job']): string {
  const kinds = [
    ...(job?.instanceRunnersAllowed === false ? ['instance runners'] : []),
    ...(job?.groupRunnersAllowed === false ? ['group runners'] : []),
  ]
  return kinds.length > 0 ? `, or enable ${kinds.join(' or ')}` : ''
}

function named(tags: string[]): string {
  const quoted = tags.map((tag) => `"${tag}"`)
  return `${tags.length === 1 ? 'tag' : 'tags'} ${LIST.format(quoted)}`
}

const LIST = new Intl.ListFormat('en', { type: 'conjunction' })

/** The reason of a job that waits for other jobs of its pipeline. */
export function blockedBy(reason: 'needs' | 'stage', blockers: LinkedJob[]): JobWaiting {
  const manual = blockers.find(({ status }) => status === 'manual')
  return {
    reason,
    message: `Waits for ${described(reason, blockers)}.`,
    help: manual ? `Start the manual job "${manual.name}".` : null,
    queue_position: null,
    blocked_by: blockers.slice(0, MAX_BLOCKERS),
  }
}

function described(reason: 'needs' | 'stage', blockers: LinkedJob[]): string {
  const [first, second] = blockers
  if (!first) return 'the pipeline to continue'
  if (second)
    return `${blockers.length} ${reason === 'needs' ? 'jobs that it needs' : 'jobs of earlier stages'}`
  return `the job "${first.name}"${reason === 'needs' ? ', which it needs' : ' of an earlier stage'}`
}
