import { existsSync } from 'node:fs'

import { PULL_POLICIES } from '../executor/docker/settings.js'
import type {
  PodIdentitySettings,
  PodImageSettings,
  SchedulingSettings,
} from '../executor/kubernetes/pod-settings.js'
import type { ClusterSettings, KubernetesSettings } from '../executor/kubernetes/settings.js'
import type { ExecutorName } from './executor-names.js'
import { readAffinity } from './kubernetes/read-affinity.js'
import { readLifecycle } from './kubernetes/read-lifecycle.js'
import { readPattern } from './kubernetes/read-pattern.js'
import { readPodNetwork } from './kubernetes/read-pod-network.js'
import { readPodSpec } from './kubernetes/read-pod-spec.js'
import { readResources } from './kubernetes/read-resources.js'
import { readPodSecurity } from './kubernetes/read-security-context.js'
import { readVolumes } from './kubernetes/read-volumes.js'
import { readServices } from './read-services.js'
import type { TableReader } from './table-reader.js'
import * as unsupported from './unsupported-keys.js'

const NAMESPACE = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/** As for the reference runner. */
const DEFAULT_POLL_TIMEOUT_SECONDS = 180

/** Reads `[runners.kubernetes]`, which only the executor `kubernetes` has. Invalid values are recorded as problems. */
export function readKubernetes(entry: TableReader, executor: ExecutorName): KubernetesSettings | undefined {
  const reader = entry.subTable('kubernetes')
  if (executor !== 'kubernetes') {
    if (!reader.isEmpty) entry.warning('kubernetes', `has no effect with the executor "${executor}"`)
    return undefined
  }
  const settings: KubernetesSettings = {
    ...readCluster(reader),
    image: reader.string('image') ?? '',
    helperImage: reader.string('helper_image') || undefined,
    ...readImages(reader),
    ...readIdentity(reader),
    ...readScheduling(reader),
    ...readPodSecurity(reader),
    ...readPodNetwork(reader),
    resources: readResources(reader),
    volumes: readVolumes(reader),
    services: readServices(reader),
    podSpec: readPodSpec(reader),
    ...readTimes(reader),
    printPodWarningEvents: reader.boolean('print_pod_warning_events'),
    containerLifecycle: readLifecycle(reader),
  }
  refuseNamespacePerJob(reader)
  reader.ignore(unsupported.KUBERNETES)
  reader.reportUnknown()
  return settings
}

function readCluster(reader: TableReader): ClusterSettings {
  const host = reader.parsed('host', 'an address such as https://10.0.0.1:6443', (text) =>
    /^https?:\/\/[^/]/.test(text) ? text : undefined,
  )
  return {
    host,
    certFile: readFileName(reader, 'cert_file'),
    keyFile: readFileName(reader, 'key_file'),
    caFile: readFileName(reader, 'ca_file'),
    bearerToken: reader.string('bearer_token') || undefined,
    kubeconfig: readFileName(reader, 'kubeconfig'),
    context: reader.string('context') || undefined,
  }
}

function readFileName(reader: TableReader, key: string): string | undefined {
  return reader.parsed(key, 'the name of a file that exists', (text) => (existsSync(text) ? text : undefined))
}

function readImages(reader: TableReader): PodImageSettings {
  const settings: PodImageSettings = {
    pullPolicy: reader.choices('pull_policy', PULL_POLICIES),
    allowedPullPolicies: reader.choices('allowed_pull_policies', PULL_POLICIES),
    allowedImages: reader.strings('allowed_images'),
    allowedServices: reader.strings('allowed_services'),
    allowedUsers: reader.strings('allowed_users'),
    allowedGroups: reader.strings('allowed_groups'),
    imagePullSecrets: reader.strings('image_pull_secrets'),
    useServiceAccountImagePullSecrets: reader.boolean('use_service_account_image_pull_secrets'),
  }
  warnOfRefusedDefault(reader, settings)
  return settings
}

/** Jobs that ask for no policy would fail, and could do nothing about it. */
function warnOfRefusedDefault(reader: TableReader, settings: PodImageSettings): void {
  const { pullPolicy = [], allowedPullPolicies: allowed = [] } = settings
  if (pullPolicy.length === 0 || allowed.length === 0) return
  if (pullPolicy.some((policy) => allowed.includes(policy))) return
  reader.warning(
    'allowed_pull_policies',
    `contains no pull policy of this runner, "${pullPolicy.join('", "')}" (pull_policy): jobs that name none fail`,
  )
}

function readIdentity(reader: TableReader): PodIdentitySettings & Pick<KubernetesSettings, 'namespace'> {
  return {
    namespace: reader.parsed('namespace', 'lower-case letters, digits and dashes, at most 63', (text) =>
      NAMESPACE.test(text) ? text : undefined,
    ),
    namespaceOverwriteAllowed: readPattern(reader, 'namespace_overwrite_allowed'),
    serviceAccount: reader.string('service_account') || undefined,
    serviceAccountOverwriteAllowed: readPattern(reader, 'service_account_overwrite_allowed'),
    automountServiceAccountToken: reader.boolean('automount_service_account_token'),
    podLabels: reader.stringMap('pod_labels'),
    podLabelsOverwriteAllowed: readPattern(reader, 'pod_labels_overwrite_allowed'),
    podAnnotations: reader.stringMap('pod_annotations'),
    podAnnotationsOverwriteAllowed: readPattern(reader, 'pod_annotations_overwrite_allowed'),
  }
}

/** The reference runner creates a namespace for each job, for which it needs rights in the whole cluster. */
function refuseNamespacePerJob(reader: TableReader): void {
  if (reader.boolean('namespace_per_job')) {
    reader.problem(
      'namespace_per_job',
      'is not supported, and without it jobs would share a namespace: remove it, or let jobs choose an existing namespace with namespace_overwrite_allowed',
    )
  }
}

function readScheduling(reader: TableReader): SchedulingSettings {
  return {
    nodeSelector: reader.stringMap('node_selector'),
    nodeSelectorOverwriteAllowed: readPattern(reader, 'node_selector_overwrite_allowed'),
    nodeTolerations: reader.stringMap('node_tolerations'),
    nodeTolerationsOverwriteAllowed: readPattern(reader, 'node_tolerations_overwrite_allowed'),
    affinity: readAffinity(reader),
    schedulerName: reader.string('scheduler_name') || undefined,
    priorityClassName: reader.string('priority_class_name') || undefined,
    runtimeClassName: reader.string('runtime_class_name') || undefined,
  }
}

/** `terminationGracePeriodSeconds` is an older name for both periods. */
function readTimes(reader: TableReader) {
  const both = reader.integer('terminationGracePeriodSeconds', 0)
  return {
    pollTimeoutSeconds: reader.integer('poll_timeout', 0) || DEFAULT_POLL_TIMEOUT_SECONDS,
    cleanupGracePeriodSeconds: reader.integer('cleanup_grace_period_seconds', 0) ?? both,
    podTerminationGracePeriodSeconds: reader.integer('pod_termination_grace_period_seconds', 0) ?? both,
    clusterAwaySeconds: reader.integer('cluster_away_timeout', 0),
  }
}
