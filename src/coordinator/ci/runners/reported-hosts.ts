import { Check } from 'typebox/value'

import { MAX_REPORTED_HOSTS, MAX_REPORTED_MESSAGE } from '../../../protocol/reported-host-limits.js'
import { ReportedHost } from '../../../protocol/runner-info.js'

/** The hosts in the `config` that a machine sent last. What is no host is left out, and long texts are cut. */
export function reportedHosts({ hosts }: Record<string, unknown>): ReportedHost[] {
  if (!Array.isArray(hosts)) return []
  return hosts
    .slice(0, MAX_REPORTED_HOSTS)
    .filter((host) => Check(ReportedHost, host))
    .map(({ name, state, running, concurrent, weight, error, error_at }) => ({
      name: name.slice(0, MAX_REPORTED_MESSAGE),
      state: state.slice(0, MAX_REPORTED_MESSAGE),
      running,
      concurrent,
      weight,
      error: error?.slice(0, MAX_REPORTED_MESSAGE) ?? null,
      error_at: error_at !== null && !Number.isNaN(Date.parse(error_at)) ? error_at : null,
    }))
}
