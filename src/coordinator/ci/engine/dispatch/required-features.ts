import type { JobOptions } from '../../../../ci-config/plan.js'

/** The first required feature of the job that the runner did not report (runner protocol, 1.3). */
export function missingFeature(options: JobOptions, features: Record<string, unknown>): string | undefined {
  return requiredFeatures(options).find((feature) => features[feature] !== true)
}

function requiredFeatures(options: JobOptions): string[] {
  const { artifacts, caches = [], allowFailureCodes = [], retry, release, secrets, run } = options
  return [
    ...(artifacts?.reports ? ['upload_multiple_artifacts'] : []),
    ...(artifacts?.exclude.length ? ['artifacts_exclude'] : []),
    ...(caches.some(({ fallbackKeys }) => fallbackKeys.length > 0) ? ['fallback_cache_keys'] : []),
    ...(release ? ['multi_build_steps'] : []),
    ...(secrets ? ['vault_secrets'] : []),
    ...(run ? ['native_steps_integration'] : []),
    ...(allowFailureCodes.length > 0 || retry?.exitCodes.length ? ['return_exit_code'] : []),
  ]
}
