/** What the requests and limits of a container are about, by the names of the API. */
export const RESOURCES = ['cpu', 'memory', 'ephemeral-storage'] as const
export type ResourceName = (typeof RESOURCES)[number]

/** Quantities such as `500m` or `2Gi`. */
export type ResourceList = Partial<Record<ResourceName, string>>

/** The containers that have requests and limits of their own, and the pod as a whole. */
export const RESOURCE_OWNERS = ['build', 'helper', 'service', 'pod'] as const
export type ResourceOwner = (typeof RESOURCE_OWNERS)[number]

export const RESOURCE_BOUNDS = ['request', 'limit'] as const
export type ResourceBound = (typeof RESOURCE_BOUNDS)[number]

export interface BoundSettings {
  values: ResourceList
  /** Up to which a job may set the value itself. A job cannot set what has no maximum. */
  overwriteMaxAllowed: ResourceList
}

export type ResourceSettings = Record<ResourceOwner, Record<ResourceBound, BoundSettings>>

/** The API has no such bounds for the storage of a whole pod. */
export function resourcesOf(owner: ResourceOwner): readonly ResourceName[] {
  return owner === 'pod' ? ['cpu', 'memory'] : RESOURCES
}

/** The key in `[runners.kubernetes]`, such as `helper_cpu_limit`. That of the container `build` has no prefix. */
export function resourceKey(owner: ResourceOwner, resource: ResourceName, bound: ResourceBound): string {
  const prefix = owner === 'build' ? '' : `${owner}_`
  return `${prefix}${resource.replace('-', '_')}_${bound}`
}

/** The variable with which a job sets the value, such as `KUBERNETES_HELPER_CPU_LIMIT`. */
export function resourceVariable(owner: ResourceOwner, resource: ResourceName, bound: ResourceBound): string {
  return `KUBERNETES_${resourceKey(owner, resource, bound).toUpperCase()}`
}
