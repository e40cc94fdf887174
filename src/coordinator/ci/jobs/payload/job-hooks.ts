import type { PlannedHooks } from '../../../../ci-config/plan.js'
import type { JobPayload } from '../../../../protocol/job-payload.js'

/** Hooks that have at least one line (runner protocol, 2.4). */
export function jobHooks(hooks: PlannedHooks | undefined): NonNullable<JobPayload['hooks']> {
  const script = hooks?.pre_get_sources_script ?? []
  return script.length > 0 ? [{ name: 'pre_get_sources_script', script }] : []
}
