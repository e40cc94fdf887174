import { recordOf } from '../../../lib/record-of.js'
import { isMore, parseQuantity } from '../../executor/kubernetes/quantity.js'
import {
  RESOURCE_BOUNDS,
  RESOURCE_OWNERS,
  type ResourceBound,
  resourceKey,
  type ResourceList,
  type ResourceOwner,
  RESOURCES,
  type ResourceSettings,
  resourcesOf,
} from '../../executor/kubernetes/resource-settings.js'
import type { TableReader } from '../table-reader.js'

/** Reads the requests and limits of the containers of a pod, and of the pod: `cpu_limit`, `helper_memory_request`. */
export function readResources(reader: TableReader): ResourceSettings {
  const settings = recordOf(RESOURCE_OWNERS, (owner) =>
    recordOf(RESOURCE_BOUNDS, (bound) => ({
      values: readList(reader, owner, bound, ''),
      overwriteMaxAllowed: readList(reader, owner, bound, '_overwrite_max_allowed'),
    })),
  )
  for (const owner of RESOURCE_OWNERS) refuseLargeRequests(reader, owner, settings)
  return settings
}

function readList(
  reader: TableReader,
  owner: ResourceOwner,
  bound: ResourceBound,
  ending: string,
): ResourceList {
  const list: ResourceList = {}
  for (const resource of resourcesOf(owner)) {
    const wanted = resource === 'cpu' ? 'a number of processors such as 500m' : 'a size such as 512Mi'
    const quantity = reader.parsed(`${resourceKey(owner, resource, bound)}${ending}`, wanted, (text) =>
      parseQuantity(text) === undefined ? undefined : text,
    )
    if (quantity !== undefined) list[resource] = quantity
  }
  return list
}

/** The cluster would refuse every pod. */
function refuseLargeRequests(reader: TableReader, owner: ResourceOwner, settings: ResourceSettings): void {
  const { request, limit } = settings[owner]
  for (const resource of RESOURCES) {
    const [wanted, most] = [request.values[resource], limit.values[resource]]
    if (wanted !== undefined && most !== undefined && isMore(wanted, most)) {
      const limitKey = resourceKey(owner, resource, 'limit')
      reader.problem(
        resourceKey(owner, resource, 'request'),
        `must be at most ${limitKey}, which is "${most}"`,
      )
    }
  }
}
