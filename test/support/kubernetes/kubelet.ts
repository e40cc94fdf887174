import { pause } from '../../../src/lib/pause.js'
import { ContainerProcess } from './container-process.js'
import type { Misbehaviour } from './misbehaviour.js'
import type { ObjectStore } from './object-store.js'
import {
  type ContainerSpec,
  type ContainerStatus,
  type PodObject,
  podStatus,
  scheduled,
  unschedulable,
  waitingStatus,
} from './pod-objects.js'

/** Milliseconds between ErrImagePull and ImagePullBackOff: a moment, instead of ten seconds. */
const BACK_OFF = 20

/** A pod on the node. */
interface RunningPod {
  name: string
  namespace: string
  uid: string
  containers: Map<string, ContainerProcess>
  /** Of containers without a process. */
  waiting: Map<string, ContainerStatus>
  stopping: AbortController
}

/** The scheduler, and the kubelet of the only node: runs the containers of pods as processes of this machine. */
export class Kubelet {
  private readonly pods = new Map<string, RunningPod>()

  constructor(
    private readonly store: ObjectStore<PodObject>,
    private readonly misbehaviour: Misbehaviour,
  ) {}

  /** Must be called for each new pod. */
  async run({ metadata: { name, namespace, uid }, spec }: PodObject): Promise<void> {
    const pod: RunningPod = {
      name,
      namespace,
      uid,
      containers: new Map(),
      waiting: new Map(),
      stopping: new AbortController(),
    }
    this.pods.set(uid, pod)
    if (!(await this.schedule(pod))) return
    const { initContainers = [], containers } = spec
    const reason = initContainers.length > 0 ? 'PodInitializing' : 'ContainerCreating'
    for (const each of [...initContainers, ...containers])
      pod.waiting.set(each.name, waitingStatus(each, reason))
    this.report(pod)
    await this.misbehaviour.startsAllowed()
    for (const each of initContainers) {
      await this.start(pod, each)
      await pod.containers.get(each.name)?.ended
      if (this.statusOf(pod, each).state.terminated?.exitCode !== 0) return
    }
    await Promise.all(containers.map((each) => this.start(pod, each)))
  }

  /** The process of a container. Undefined if it does not run. */
  find(uid: string, container: string): ContainerProcess | undefined {
    return this.pods.get(uid)?.containers.get(container)
  }

  /** Ends the containers, with SIGTERM first, and removes the pod. */
  async stop({ metadata: { uid } }: PodObject, graceSeconds: number): Promise<void> {
    const pod = this.pods.get(uid)
    if (!pod) return
    pod.stopping.abort()
    const ended = Promise.all([...pod.containers.values()].map((each) => each.ended))
    if (graceSeconds > 0) {
      for (const each of pod.containers.values()) each.terminate()
      const isOver = new AbortController()
      await Promise.race([ended, pause(graceSeconds * 1000, isOver.signal)])
      isOver.abort()
    }
    this.kill(pod)
    await ended
    const current = this.currentOf(pod)
    if (current) this.store.remove(current)
    this.pods.delete(uid)
  }

  /** Kills all processes of a pod, which stays, and is not reported about any more. */
  abandon({ metadata: { uid } }: PodObject): void {
    const pod = this.pods.get(uid)
    if (!pod) return
    pod.stopping.abort()
    this.kill(pod)
  }

  async close(): Promise<void> {
    for (const pod of this.pods.values()) {
      pod.stopping.abort()
      this.kill(pod)
    }
    await Promise.all(
      [...this.pods.values()].flatMap(({ containers }) => [...containers.values()].map((each) => each.ended)),
    )
  }

  /** False if the pod was deleted before it could be scheduled. */
  private async schedule(pod: RunningPod): Promise<boolean> {
    const sentence = this.misbehaviour.schedulerSentence
    if (sentence !== undefined) {
      this.update(pod, (current) => unschedulable(current, sentence))
      await this.misbehaviour.schedulable()
    }
    if (pod.stopping.signal.aborted) return false
    this.update(pod, scheduled)
    return true
  }

  private async start(pod: RunningPod, spec: ContainerSpec): Promise<void> {
    const { signal } = pod.stopping
    if (!(await this.pull(pod, spec))) return
    const current = this.currentOf(pod)
    if (signal.aborted || !current) return
    const container = new ContainerProcess(spec, current)
    pod.containers.set(spec.name, container)
    this.report(pod)
    void container.ended.then(() => {
      if (!signal.aborted) this.report(pod)
    })
  }

  /** Resolves when the container has its image. False if it will never have it, and if the pod is stopped. */
  private async pull(pod: RunningPod, spec: ContainerSpec): Promise<boolean> {
    const { signal } = pod.stopping
    const problem = this.misbehaviour.pullProblem(spec.image)
    if (!problem) return true
    for (const [reason, message] of problem.states) {
      if (signal.aborted) return false
      pod.waiting.set(spec.name, waitingStatus(spec, reason, message))
      this.report(pod)
      await pause(BACK_OFF, signal)
    }
    if (spec['imagePullPolicy'] === 'Never') return false
    await problem.solved.promise
    return !signal.aborted
  }

  private kill(pod: RunningPod): void {
    for (const each of pod.containers.values()) each.kill()
  }

  private report(pod: RunningPod): void {
    this.update(pod, (current) => {
      const { initContainers = [], containers } = current.spec
      const statuses = (specs: ContainerSpec[]) => specs.map((each) => this.statusOf(pod, each))
      return podStatus(current, statuses(containers), statuses(initContainers))
    })
  }

  private statusOf(pod: RunningPod, spec: ContainerSpec): ContainerStatus {
    return (
      pod.containers.get(spec.name)?.status() ??
      pod.waiting.get(spec.name) ??
      waitingStatus(spec, 'ContainerCreating')
    )
  }

  private update(pod: RunningPod, change: (current: PodObject) => PodObject): void {
    const current = this.currentOf(pod)
    if (current) this.store.update(change(current))
  }

  private currentOf({ namespace, name, uid }: RunningPod): PodObject | undefined {
    const current = this.store.find(namespace, name)
    return current?.metadata.uid === uid ? current : undefined
  }
}
