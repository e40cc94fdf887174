import type { PodSettings } from './pod-settings.js'
import type { ResourceSettings } from './resource-settings.js'

/** How to reach the API of a cluster. Without any of it: the cluster that the runner runs in, or `KUBECONFIG`. */
export interface ClusterSettings {
  /** `host`: address of the API server. */
  host?: string | undefined
  certFile?: string | undefined
  keyFile?: string | undefined
  caFile?: string | undefined
  bearerToken?: string | undefined
  /** Whether a job may name the token with which its pod is created (`KUBERNETES_BEARER_TOKEN`). */
  bearerTokenOverwriteAllowed?: boolean | undefined
  /** A kubeconfig file and its context. Specific to this runner. */
  kubeconfig?: string | undefined
  context?: string | undefined
}

/** `[runners.kubernetes]`. */
export interface KubernetesSettings extends ClusterSettings, PodSettings {
  /** Undefined: the namespace of the credentials, or `default`. */
  namespace?: string | undefined
  /** Image of jobs that name none. Empty: such jobs fail. */
  image: string
  /** Image with this program and git, for the container `helper`. Undefined: that of this version. */
  helperImage?: string | undefined
  /** Requests and limits. */
  resources?: ResourceSettings | undefined
  /** Seconds that a pod may take until all its containers run. */
  pollTimeoutSeconds: number
  /** Whether the log of a job has why its pod does not run yet. Undefined: it has. */
  printPodWarningEvents?: boolean | undefined
  /** Seconds for the processes of a pod that is deleted. */
  cleanupGracePeriodSeconds?: number | undefined
  /** Seconds that the API server may be away while a job runs. Undefined: as long as the coordinator waits. */
  clusterAwaySeconds?: number | undefined
}

/** Everything that the executor needs of the settings of a registration. */
export interface KubernetesExecutorSettings extends KubernetesSettings {
  /** Name of the registration, for the labels of pods. */
  runnerName?: string | undefined
  runnerShortToken: string
  systemId: string
  /** Root of the project directories in the pod (`builds_dir`). */
  buildsDir: string
  outputLimitBytes?: number | undefined
  /** `DOCKER_AUTH_CONFIG` from `environment` of the runner. */
  authConfig?: string | undefined
}
