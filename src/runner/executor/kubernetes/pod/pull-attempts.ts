import type { V1Pod } from '@kubernetes/client-node'

import type { FailureReason } from '../../../../protocol/failure-reason.js'
import { isPassing } from '../../docker/images/pull-failure.js'
import { ExecutorError } from '../../executor.js'
import { findWaiting, plainMessage } from './container-states.js'

/** Pulls of a node that failed for a reason that may pass. It repeats them after 10 s, 20 s, and so on. */
const MAX_PASSING = 3
/** The secret with the credentials is created after the pod that owns it, so that the first pull may miss it. */
const MAX_WITH_NEW_SECRET = 2

/** An image that a node cannot obtain. */
export class PullError extends ExecutorError {
  constructor(
    /** As the plan of the pod names it. */
    readonly image: string,
    message: string,
    reason: FailureReason = 'image_pull_failure',
  ) {
    super(message, reason)
  }
}

function neverPulled(image: string): PullError {
  const message = `The image "${image}" is not on the node, and its pull policy is "never"`
  return new PullError(image, message, 'runner_configuration_error')
}

interface FailedPull {
  image: string
  /** Why the last one failed, in the words of the registry or of the node. */
  message: string
  count: number
  /** In milliseconds. */
  since: number
  isOver: boolean
}

/** Counts the failed pulls in the successive states of a pod. */
export class PullAttempts {
  private readonly failed = new Map<string, FailedPull>()

  /** `hasNewSecret`: whether the credentials come from a secret that is created together with the pod. */
  constructor(
    private readonly hasNewSecret: boolean,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Throws a `PullError` as soon as the node will not obtain an image. */
  record(pod: V1Pod): void {
    for (const { container, image, waiting } of findWaiting(pod)) {
      switch (waiting.reason) {
        case 'ErrImageNeverPull':
          throw neverPulled(image)
        case 'SignatureValidationFailed':
          throw this.failure(image, plainMessage(waiting.message))
        case 'ErrImagePull':
        case 'RegistryUnavailable':
          this.add(container, image, plainMessage(waiting.message))
          break
        case 'ImagePullBackOff':
          this.addBefore(container, image, plainMessage(waiting.message))
          this.pause(container)
          break
        default:
          break
      }
    }
  }

  /** The images that the node could not pull so far. For the message of a pod that did not start in time. */
  describe(): string[] {
    return [...this.failed.values()].map(
      ({ image, message }) => `the image "${image}" cannot be pulled: ${message}`,
    )
  }

  private add(container: string, image: string, message: string): void {
    const before = this.failed.get(container)
    if (before && !before.isOver) return
    const { count = 0, since = this.now() } = before ?? {}
    const failed = { image, message, count: count + 1, since, isOver: false }
    this.failed.set(container, failed)
    if (failed.count >= this.allowed(message)) throw this.failure(image, message, failed)
  }

  /** The failure that the pause follows was not seen. Only newer nodes say in the pause why it failed. */
  private addBefore(container: string, image: string, message: string): void {
    const cause = /^Back-off pulling image "[^"]*": (?:\w+: )?(.+)$/.exec(message)?.[1]
    if (cause !== undefined && !this.failed.has(container)) this.add(container, image, plainMessage(cause))
  }

  /** The next failure of this container is that of another pull. */
  private pause(container: string): void {
    const failed = this.failed.get(container)
    if (failed) failed.isOver = true
  }

  private allowed(message: string): number {
    if (isPassing(message)) return MAX_PASSING
    return this.hasNewSecret ? MAX_WITH_NEW_SECRET : 1
  }

  private failure(image: string, message: string, failed?: FailedPull): PullError {
    const tries =
      failed && failed.count > 1 ? ` (${failed.count} attempts in ${this.secondsSince(failed)} s)` : ''
    return new PullError(image, `The image "${image}" cannot be pulled: ${message}${tries}`)
  }

  private secondsSince({ since }: FailedPull): number {
    return Math.round((this.now() - since) / 1000)
  }
}
