import { isEnvironmentName, WRONG_NAME } from '../../../../../ci-config/environment-name.js'
import type { Plan } from '../../../../../ci-config/plan.js'

/** The distinct keys of the resource groups in a plan. */
export function groupKeysOf({ jobs }: Plan): string[] {
  const keys = jobs.flatMap(({ resourceGroup }) => resourceGroup ?? [])
  return [...new Set(keys.filter(isEnvironmentName))]
}

/**
 * One warning for each job whose variables yield no valid key; it runs without a resource (CI language,
 * 12.8).
 */
export function warningsOfGroups({ jobs }: Plan): string[] {
  return jobs
    .filter(({ resourceGroup }) => resourceGroup !== undefined && !isEnvironmentName(resourceGroup))
    .map(
      ({ name, resourceGroup }) =>
        `jobs:${name}:resource_group has no effect: '${resourceGroup}' is no key, which ${WRONG_NAME}`,
    )
}
