import type {
  V1ContainerStateTerminated,
  V1ContainerStateWaiting,
  V1ContainerStatus,
  V1Pod,
} from '@kubernetes/client-node'

/** `namespace/name`. */
export function podTitle({ metadata }: V1Pod): string {
  return `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`
}

/** The states of all containers that the node has reported, init containers first. */
function containerStatuses({ status }: V1Pod): V1ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
}

/** How a container ended. Undefined if it has not. */
export function findEnd(pod: V1Pod, container: string): V1ContainerStateTerminated | undefined {
  return pod.status?.containerStatuses?.find(({ name }) => name === container)?.state?.terminated
}

/** How a container ended, for people. */
export function describeEnd({ exitCode, reason, message }: V1ContainerStateTerminated): string {
  const why = [reason, plainMessage(message)].filter((part) => part !== undefined && part !== '').join(': ')
  return `ended with exit code ${exitCode}${why === '' ? '' : ` (${why})`}`
}

/** The containers that do not run yet, and why. */
export function findWaiting(
  pod: V1Pod,
): { container: string; image: string; waiting: V1ContainerStateWaiting }[] {
  return containerStatuses(pod).flatMap(({ name, image, state }) =>
    state?.waiting ? [{ container: name, image: imageOf(pod, name) ?? image, waiting: state.waiting }] : [],
  )
}

/** The image as the plan of the pod names it. The node may report another name. */
export function imageOf({ spec }: V1Pod, container: string): string | undefined {
  const all = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])]
  return all.find(({ name }) => name === container)?.image
}

/**
 * The message without what the interface between a node and its runtime puts before it, on one line: a job can write the
 * message of its container.
 */
export function plainMessage(message: string | undefined): string {
  const line = (message ?? '').replace(/\p{Cc}+/gu, ' ')
  return line.replace(/^(?:rpc error: code = \w+ desc = )+/, '').trim()
}
