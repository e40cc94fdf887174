import type { Plan, PlannedJob } from '../../../ci-config/plan.js'
import { isRecord } from '../../../lib/is-record.js'

/**
 * What a CI file may say and this coordinator would not do. A job that ran without it would do something else than its
 * author means, so the file is refused: one sentence for each job and keyword.
 */
export function unservedKeywords({ jobs }: Plan): string[] {
  return jobs.flatMap((job) =>
    KEYWORDS.filter(([, isUsed]) => isUsed(job)).map(
      ([keyword]) => `jobs:${job.name}:${keyword} is not supported by this version of Switchyard`,
    ),
  )
}

const KEYWORDS: readonly (readonly [keyword: string, isUsed: (job: PlannedJob) => boolean])[] = [
  ...unservedProviders(),
]

/** What the runner of this version cannot fetch secrets from. */
function unservedProviders(): (readonly [keyword: string, isUsed: (job: PlannedJob) => boolean])[] {
  const providers = ['azure_key_vault', 'gcp_secret_manager', 'aws_secrets_manager', 'gitlab_secrets_manager']
  return providers.map((provider) => [
    `secrets:${provider}`,
    ({ options }) =>
      Object.values(options.secrets ?? {}).some((secret) => isRecord(secret) && provider in secret),
  ])
}
