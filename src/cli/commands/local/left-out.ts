import type { PlannedJob } from '../../../ci-config/plan.js'

/** Whether a local run cannot run a job, because it only starts or mirrors a pipeline in another project. */
export function isLeftOut({ trigger, mirrors }: PlannedJob): boolean {
  return trigger?.kind === 'project' || mirrors !== undefined
}

/**
 * The features of a file that a run without a server does not support: one sentence for each kind, with the jobs.
 */
export function leftOut(jobs: readonly PlannedJob[]): string[] {
  return KINDS.flatMap(({ applies, sentence }) => {
    const names = jobs.filter(applies).map(({ name }) => name)
    return names.length === 0 ? [] : [`${sentence} (${names.join(', ')})`]
  })
}

const KINDS: readonly { applies: (job: PlannedJob) => boolean; sentence: string }[] = [
  {
    applies: ({ trigger }) => trigger?.kind === 'project',
    sentence: 'Pipelines of other projects are not started, so these jobs do not run',
  },
  {
    applies: ({ mirrors }) => mirrors !== undefined,
    sentence: 'Pipelines of other projects are not read, so these jobs do not run',
  },
  {
    applies: (job) => job.environment !== undefined,
    sentence: 'Environments and deployments are not recorded',
  },
  { applies: ({ options }) => options.release !== undefined, sentence: 'No releases are created' },
  {
    applies: ({ options }) => Object.keys(options.idTokens ?? {}).length > 0,
    sentence: 'id_tokens are not signed, and their variables are not set',
  },
  {
    applies: ({ options }) => Object.keys(options.secrets ?? {}).length > 0,
    sentence: 'External secrets are not fetched, and their variables are not set; give them with --secret',
  },
  {
    applies: ({ options }) => options.identity !== undefined,
    sentence: 'No cloud identity is provided',
  },
  {
    applies: ({ options }) => (options.foreignNeeds ?? []).some(({ kind }) => kind === 'project'),
    sentence: 'Artifacts of other projects are not fetched',
  },
]
