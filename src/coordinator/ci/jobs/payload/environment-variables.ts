import { listOf } from '../../../../ci-config/variables/list-of.js'
import type { JobVariable } from '../../../../protocol/job-payload.js'
import type { PayloadFacts } from './payload-facts.js'

/** Variables of the existing environment; they have the lowest precedence (CI language, 8.1, rank 1). */
export function environmentVariables({ job, environment }: PayloadFacts): JobVariable[] {
  if (!environment) return []
  const { id, slug, external_url } = environment
  const values = listOf({
    CI_ENVIRONMENT_ID: id,
    CI_ENVIRONMENT_SLUG: slug,
    CI_ENVIRONMENT_URL: job.options.environment?.url ?? external_url ?? undefined,
  })
  return values.map(({ key, value }) => ({ key, value, public: true, masked: false }))
}
