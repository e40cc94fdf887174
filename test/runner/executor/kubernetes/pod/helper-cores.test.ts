import { describe, expect, test } from 'vitest'

import { recordOf } from '../../../../../src/lib/record-of.js'
import { helperCores } from '../../../../../src/runner/executor/kubernetes/pod/helper-cores.js'
import {
  RESOURCE_BOUNDS,
  RESOURCE_OWNERS,
  type ResourceOwner,
  type ResourceSettings,
} from '../../../../../src/runner/executor/kubernetes/resource-settings.js'
import { planned } from './planned-pod.js'

/** Settings with these CPU limits, which jobs may set up to 8. */
function limited(limits: Partial<Record<ResourceOwner, string>>): ResourceSettings {
  return recordOf(RESOURCE_OWNERS, (owner) =>
    recordOf(RESOURCE_BOUNDS, (bound) => ({
      values: bound === 'limit' && limits[owner] !== undefined ? { cpu: limits[owner] } : {},
      overwriteMaxAllowed: { cpu: '8' },
    })),
  )
}

describe('the helper compresses with', () => {
  test.each<[Partial<Record<ResourceOwner, string>>, number | undefined]>([
    [{}, undefined],
    [{ helper: '2' }, 2],
    [{ helper: '2900m' }, 2],
    [{ helper: '100m' }, 1],
    [{ helper: '0' }, undefined],
    [{ build: '1', service: '1' }, undefined],
    [{ pod: '3' }, 3],
    [{ pod: '3', helper: '4' }, 3],
  ])('with the limits %j: %s cores', (limits, cores) => {
    expect(helperCores(planned({ settings: { resources: limited(limits) } }).pod)).toBe(cores)
  })

  test('as many cores as the job sets', () => {
    const settings = { resources: limited({ helper: '2' }) }
    const variables = { KUBERNETES_HELPER_CPU_LIMIT: '5' }
    expect(helperCores(planned({ settings, variables }).pod)).toBe(5)
  })
})
