import { type Deferred, deferred } from '../../../src/lib/deferred.js'
import { exceededQuota, forbidden, type RefusedRequest, type Right } from './statuses.js'

/** How the API server is away: no connection is accepted, or no request gets a response. */
export type Absence = 'refuses' | 'hangs'

/** An image that cannot be pulled. */
interface PullProblem {
  /** Of its containers, in order: each a reason and a message. */
  states: readonly (readonly [reason: string, message: string])[]
  /** Resolves when the image can be pulled. */
  solved: Deferred<void>
}

/** What a test makes go wrong. */
export class Misbehaviour {
  private readonly images = new Map<string, PullProblem>()
  private readonly forbiddenRights: Right[] = []
  private quota: { name: string; pods: number } | undefined
  private sentence: string | undefined
  private placeFound = deferred()
  private started = deferred()
  absence: Absence | undefined

  constructor() {
    this.started.resolve()
  }

  /** The image cannot be pulled. `message`: what the engine says. */
  refuseImage(image: string, message: string): void {
    const states = [
      ['ErrImagePull', message],
      ['ImagePullBackOff', `Back-off pulling image "${image}"`],
    ] as const
    this.images.set(image, { states, solved: deferred() })
  }

  /** Pods with this image stay in this state, such as `InvalidImageName` or `ErrImageNeverPull`. */
  rejectImage(image: string, reason: string, message: string): void {
    this.images.set(image, { states: [[reason, message]], solved: deferred() })
  }

  /** The next attempt to pull the image succeeds. */
  acceptImage(image: string): void {
    this.images.get(image)?.solved.resolve()
    this.images.delete(image)
  }

  pullProblem(image: string): PullProblem | undefined {
    return this.images.get(image)
  }

  /** No node has room for pods that are created from now on, until `makeRoom`. */
  leaveNoRoom(
    sentence = "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.",
  ): void {
    this.sentence = sentence
    this.placeFound = deferred()
  }

  makeRoom(): void {
    this.sentence = undefined
    this.placeFound.resolve()
  }

  get schedulerSentence(): string | undefined {
    return this.sentence
  }

  async schedulable(): Promise<void> {
    await this.placeFound.promise
  }

  /** Containers stay in ContainerCreating until the returned function is called. */
  holdStarts(): () => void {
    this.started = deferred()
    return () => this.started.resolve()
  }

  async startsAllowed(): Promise<void> {
    await this.started.promise
  }

  limitPods(pods: number, name = 'few'): void {
    this.quota = { name, pods }
  }

  forbid(...rights: Right[]): void {
    this.forbiddenRights.push(...rights)
  }

  isForbidden({ namespace, verb, resource }: Right): boolean {
    return this.forbiddenRights.some(
      (right) => right.namespace === namespace && right.verb === verb && right.resource === resource,
    )
  }

  /** Throws as the API server refuses. */
  checkRight(right: Right, name: string | undefined, user: string): void {
    if (this.isForbidden(right)) throw forbidden(right, name, user)
  }

  /** Undefined if another pod may be created. */
  quotaProblem(pod: string, used: number): RefusedRequest | undefined {
    const { quota } = this
    return quota && used >= quota.pods ? exceededQuota(pod, quota.name, quota.pods, used) : undefined
  }
}
