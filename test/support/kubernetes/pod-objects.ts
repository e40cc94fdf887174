import type { Metadata, StoredObject } from './object-store.js'
import { now } from './object-store.js'

/** A pod as the API has it, as far as this server reads it. */
export interface PodObject extends StoredObject {
  spec: PodSpec
  status: PodStatus
}

export interface PodSpec {
  containers: ContainerSpec[]
  initContainers?: ContainerSpec[]
  nodeName?: string
  restartPolicy?: string
  terminationGracePeriodSeconds?: number
  [field: string]: unknown
}

export interface ContainerSpec {
  name: string
  image: string
  command?: string[]
  args?: string[]
  workingDir?: string
  env?: { name: string; value?: string; valueFrom?: { fieldRef?: { fieldPath: string } } }[]
  [field: string]: unknown
}

interface PodStatus {
  phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed'
  reason?: string
  message?: string
  conditions?: Condition[]
  containerStatuses?: ContainerStatus[]
  initContainerStatuses?: ContainerStatus[]
  hostIP?: string
  podIP?: string
  podIPs?: { ip: string }[]
  qosClass: string
  startTime?: string
}

export interface Condition {
  type: string
  status: 'True' | 'False'
  reason?: string
  message?: string
  lastProbeTime: null
  lastTransitionTime: string
}

export interface ContainerState {
  waiting?: { reason: string; message?: string }
  running?: { startedAt: string }
  terminated?: {
    exitCode: number
    reason: string
    startedAt: string
    finishedAt: string
    containerID: string
    message?: string
    signal?: number
  }
}

export interface ContainerStatus {
  name: string
  image: string
  imageID: string
  containerID?: string
  state: ContainerState
  lastState: ContainerState
  ready: boolean
  started: boolean
  restartCount: number
}

const NODE = 'node-1'
const NODE_ADDRESS = '10.77.0.2'

export function newPod(metadata: Metadata, spec: PodSpec): PodObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: {
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
      serviceAccountName: 'default',
      ...spec,
    },
    status: { phase: 'Pending', qosClass: 'BestEffort' },
  }
}

export function condition(type: string, isTrue: boolean, reason?: string, message?: string): Condition {
  return {
    type,
    status: isTrue ? 'True' : 'False',
    lastProbeTime: null,
    lastTransitionTime: now(),
    ...(reason !== undefined && { reason }),
    ...(message !== undefined && { message }),
  }
}

/** Replaces the conditions of the same types. */
export function withConditions(pod: PodObject, ...conditions: Condition[]): PodObject {
  const kept = (pod.status.conditions ?? []).filter(
    ({ type }) => !conditions.some((each) => each.type === type),
  )
  return { ...pod, status: { ...pod.status, conditions: [...kept, ...conditions] } }
}

export function scheduled(pod: PodObject): PodObject {
  const placed = { ...pod, spec: { ...pod.spec, nodeName: NODE } }
  return withConditions(placed, condition('PodScheduled', true))
}

export function unschedulable(pod: PodObject, sentence: string): PodObject {
  return withConditions(pod, condition('PodScheduled', false, 'Unschedulable', sentence))
}

export function waitingStatus(
  { name, image }: ContainerSpec,
  reason: string,
  message?: string,
): ContainerStatus {
  return {
    name,
    image,
    imageID: '',
    state: { waiting: { reason, ...(message !== undefined && { message }) } },
    lastState: {},
    ready: false,
    started: false,
    restartCount: 0,
  }
}

/** The status of a pod on a node, with the phase and the conditions that follow from those of its containers. */
export function podStatus(pod: PodObject, containers: ContainerStatus[], init: ContainerStatus[]): PodObject {
  const phase = phaseOf(containers, init)
  const unready = containers.filter(({ ready }) => !ready).map(({ name }) => name)
  const isReady = unready.length === 0
  const why = isReady ? [] : ['ContainersNotReady', `containers with unready status: [${unready.join(' ')}]`]
  const incomplete = init.filter(({ state }) => state.terminated?.exitCode !== 0).map(({ name }) => name)
  const lacking =
    incomplete.length === 0
      ? []
      : ['ContainersNotInitialized', `containers with incomplete status: [${incomplete.join(' ')}]`]
  const status: PodStatus = {
    ...pod.status,
    phase,
    hostIP: NODE_ADDRESS,
    podIP: '127.0.0.1',
    podIPs: [{ ip: '127.0.0.1' }],
    startTime: pod.status.startTime ?? now(),
    containerStatuses: containers,
    ...(init.length > 0 && { initContainerStatuses: init }),
  }
  return withConditions(
    { ...pod, status },
    condition('Initialized', incomplete.length === 0, ...lacking),
    condition('Ready', isReady, ...why),
    condition('ContainersReady', isReady, ...why),
  )
}

function phaseOf(containers: ContainerStatus[], init: ContainerStatus[]): PodStatus['phase'] {
  if (init.some(({ state }) => (state.terminated?.exitCode ?? 0) !== 0)) return 'Failed'
  if (containers.some(({ state }) => state.waiting)) return 'Pending'
  if (containers.some(({ state }) => state.running)) return 'Running'
  return containers.every(({ state }) => state.terminated?.exitCode === 0) ? 'Succeeded' : 'Failed'
}
