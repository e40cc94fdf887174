import type { V1Pod } from '@kubernetes/client-node'

import { parseQuantity } from '../quantity.js'
import { HELPER } from './pod-plan.js'

const CORE = 1_000_000_000n

/**
 * Number of cores that may compress files of the job in the container `helper`: as many whole ones as its CPU limit and that of the pod
 * allow, and at least one. Undefined if there is no such limit: those of the node. `pod`: as the API server returned it, with what the job,
 * the patches of the settings and the defaults of the namespace have set.
 */
export function helperCores({ spec }: V1Pod): number | undefined {
  const helper = spec?.containers.find(({ name }) => name === HELPER)
  const limits = [helper?.resources, spec?.resources].flatMap((resources) => {
    const limit = parseQuantity(resources?.limits?.['cpu'] ?? '') ?? 0n
    return limit === 0n ? [] : [Math.max(1, Number(limit / CORE))]
  })
  return limits.length === 0 ? undefined : Math.min(...limits)
}
