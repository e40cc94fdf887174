import type { V1Affinity, V1HostAlias, V1PodDNSConfig, V1PodSecurityContext } from '@kubernetes/client-node'

import type { ConfiguredService } from '../docker/services/settings.js'
import type { PullPolicy } from '../docker/settings.js'
import type { Lifecycle, SecurityContext, Volume, VolumeMount } from './api-types.js'

/** Which images may run, and how they are obtained. */
export interface PodImageSettings {
  /** Tried in order. Absent or empty: as the cluster does by default. */
  pullPolicy?: PullPolicy[] | undefined
  /** Policies that a job may request. Absent or empty: those of `pullPolicy`. */
  allowedPullPolicies?: PullPolicy[] | undefined
  /** Doublestar globs of images that jobs may use. Absent or empty: all. `image` is always allowed. */
  allowedImages?: string[] | undefined
  /** The same for services. Those of the settings are always allowed. */
  allowedServices?: string[] | undefined
  /** Numbers of users that a job may request. Absent or empty: all. */
  allowedUsers?: string[] | undefined
  allowedGroups?: string[] | undefined
  /** Names of secrets in the namespace of the pod. */
  imagePullSecrets?: string[] | undefined
  /** Whether only those of the service account are used. */
  useServiceAccountImagePullSecrets?: boolean | undefined
}

/** In which namespace and as whom a pod runs, and what a job may change about it. */
export interface PodIdentitySettings {
  namespaceOverwriteAllowed?: string | undefined
  serviceAccount?: string | undefined
  serviceAccountOverwriteAllowed?: string | undefined
  automountServiceAccountToken?: boolean | undefined
  podLabels?: Record<string, string> | undefined
  podLabelsOverwriteAllowed?: string | undefined
  podAnnotations?: Record<string, string> | undefined
  podAnnotationsOverwriteAllowed?: string | undefined
}

/** On which node a pod runs. */
export interface SchedulingSettings {
  nodeSelector?: Record<string, string> | undefined
  nodeSelectorOverwriteAllowed?: string | undefined
  /** Effects by `key` or `key=value` of the taint. An empty effect tolerates all. */
  nodeTolerations?: Record<string, string> | undefined
  nodeTolerationsOverwriteAllowed?: string | undefined
  affinity?: V1Affinity | undefined
  schedulerName?: string | undefined
  priorityClassName?: string | undefined
  runtimeClassName?: string | undefined
}

/** Absent settings select the safest value. */
export interface PodSecuritySettings {
  /** Of all containers, unless their own security context says otherwise. */
  privileged?: boolean | undefined
  allowPrivilegeEscalation?: boolean | undefined
  capAdd?: string[] | undefined
  capDrop?: string[] | undefined
  podSecurityContext?: V1PodSecurityContext | undefined
  buildSecurityContext?: SecurityContext | undefined
  helperSecurityContext?: SecurityContext | undefined
  serviceSecurityContext?: SecurityContext | undefined
  /** If present, a container with this context makes the builds directory writable for all users before the others start. */
  initPermissionsSecurityContext?: SecurityContext | undefined
}

/** A volume of the settings and where it is mounted. Variables in paths and in the name of a claim are expanded for each job. */
export interface ConfiguredVolume {
  volume: Volume
  mount: VolumeMount
}

export interface PodNetworkSettings {
  dnsPolicy?: string | undefined
  dnsConfig?: V1PodDNSConfig | undefined
  hostAliases?: V1HostAlias[] | undefined
}

export const PATCH_TYPES = ['strategic', 'merge', 'json'] as const
export type PatchType = (typeof PATCH_TYPES)[number]

/** One `[[runners.kubernetes.pod_spec]]` table. */
export interface PodSpecPatch {
  name: string
  type: PatchType
  patch: unknown
}

/** Seconds and files of a pod. */
interface PodLifetimeSettings {
  /** Between SIGTERM and SIGKILL for the processes of a pod, whatever deletes it. */
  podTerminationGracePeriodSeconds?: number | undefined
  containerLifecycle?: Lifecycle | undefined
}

/** The keys of `[runners.kubernetes]` that describe the pods of jobs, without their requests and limits. */
export interface PodSettings
  extends
    PodImageSettings,
    PodIdentitySettings,
    SchedulingSettings,
    PodSecuritySettings,
    PodNetworkSettings,
    PodLifetimeSettings {
  volumes?: ConfiguredVolume[] | undefined
  /** Started for every job, before the services of the job. */
  services?: ConfiguredService[] | undefined
  /** Applied in order to the planned pod, so that the last one wins. */
  podSpec?: PodSpecPatch[] | undefined
}
