import type { V1ResourceRequirements } from '@kubernetes/client-node'

import type { JobLog } from '../../../trace/job-log.js'
import { isMore, parseQuantity } from '../quantity.js'
import {
  type BoundSettings,
  type ResourceBound,
  resourceKey,
  type ResourceList,
  type ResourceName,
  type ResourceOwner,
  type ResourceSettings,
  resourcesOf,
  resourceVariable,
} from '../resource-settings.js'
import { refusal } from './overwrites.js'

type Log = Pick<JobLog, 'plain' | 'warning'>

/**
 * The requests and limits of a container, or of the pod. Variables set them up to the maximum of the settings. Throws an
 * `ExecutorError` for more, and for what is no quantity.
 */
export function resourcesFor(
  owner: ResourceOwner,
  settings: ResourceSettings | undefined,
  values: ReadonlyMap<string, string>,
  log: Log,
): V1ResourceRequirements | undefined {
  const { request, limit } = settings?.[owner] ?? NONE
  const [requests, limits] = [
    boundsFor(owner, 'request', request, values, log),
    boundsFor(owner, 'limit', limit, values, log),
  ]
  return requests || limits ? { requests, limits } : undefined
}

const NOTHING: BoundSettings = { values: {}, overwriteMaxAllowed: {} }
const NONE = { request: NOTHING, limit: NOTHING }

function boundsFor(
  owner: ResourceOwner,
  bound: ResourceBound,
  settings: BoundSettings,
  values: ReadonlyMap<string, string>,
  log: Log,
): Record<string, string> | undefined {
  const bounds: ResourceList = {}
  for (const resource of resourcesOf(owner)) {
    const wanted = values.get(resourceVariable(owner, resource, bound)) ?? ''
    const quantity =
      wanted === ''
        ? settings.values[resource]
        : overwritten({ owner, resource, bound }, wanted, settings, log)
    if (quantity !== undefined) bounds[resource] = quantity
  }
  return Object.keys(bounds).length > 0 ? bounds : undefined
}

function overwritten(
  { owner, resource, bound }: { owner: ResourceOwner; resource: ResourceName; bound: ResourceBound },
  wanted: string,
  settings: BoundSettings,
  log: Log,
): string | undefined {
  const variable = resourceVariable(owner, resource, bound)
  const key = `${resourceKey(owner, resource, bound)}_overwrite_max_allowed`
  const maximum = settings.overwriteMaxAllowed[resource]
  if (maximum === undefined) {
    log.warning(`${variable}: no effect, because ${key} is not set in the settings of this runner`)
    return settings.values[resource]
  }
  if (parseQuantity(wanted) === undefined) {
    throw refusal(
      `${variable} is "${wanted}", but must be a quantity such as ${resource === 'cpu' ? '500m' : '512Mi'}`,
    )
  }
  if (isMore(wanted, maximum)) {
    throw refusal(`The runner does not allow "${wanted}" in ${variable}: at most ${maximum} (${key})`)
  }
  log.plain(`Using ${resourceKey(owner, resource, bound)} "${wanted}" from ${variable}`)
  return wanted
}
