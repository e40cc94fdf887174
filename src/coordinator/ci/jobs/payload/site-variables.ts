import { VariableCollection } from '../../../../ci-config/variables/variable-collection.js'
import type { JobVariable } from '../../../../protocol/job-payload.js'
import { siteUrl } from '../../site-addresses/site-origins.js'
import { prefixOf } from '../../site-addresses/site-prefix.js'
import type { PayloadFacts } from './payload-facts.js'

/**
 * The address of the site of the project, with the path of a preview if the job has one, which its other variables may be
 * part of (CI language, 8.7).
 */
export function siteVariables(facts: PayloadFacts, others: readonly JobVariable[]): JobVariable[] {
  const { pathPrefix } = facts.job.options.pages ?? {}
  const prefix = pathPrefix && prefixOf(VariableCollection.of(others).expand(pathPrefix, 'empty'))
  const url = siteUrl(facts.server.sites, facts.project.full_path, prefix)
  return [
    { key: 'CI_PAGES_URL', value: url.replace(/\/$/, ''), public: true, masked: false },
    { key: 'CI_PAGES_HOSTNAME', value: new URL(url).hostname, public: true, masked: false },
  ]
}
