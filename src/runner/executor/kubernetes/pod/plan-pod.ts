import type { V1PodSpec, V1Toleration } from '@kubernetes/client-node'

import { VERSION } from '../../../../lib/version.js'
import { booleanSetting } from '../../../variables/job-variables.js'
import { imageOf, isImageAllowed } from '../../docker/images/image-name.js'
import { readExecutorOptions } from '../../executor.js'
import { stopCommand } from '../../supervisor/supervisor.js'
import type { Container } from '../api-types.js'
import type { KubernetesExecutorSettings } from '../settings.js'
import { literal } from './container-text.js'
import { type ChosenImages, imageUse } from './image-uses.js'
import { overwrite, refusal } from './overwrites.js'
import { applyPatches } from './patch/apply-patches.js'
import { podAnnotations, podLabels } from './pod-labels.js'
import { podName } from './pod-name.js'
import { BUILD, HELPER, type PlanPod, type PodRequest } from './pod-plan.js'
import { resourcesFor } from './pod-resources.js'
import { helperSecurity, jobSecurity, withUser } from './pod-security.js'
import { hostAliases, serviceContainers } from './pod-services.js'
import { podVolumes } from './pod-volumes.js'
import { pullSecret } from './pull-secret.js'

/**
 * The runner ends a job at its timeout. Then come after_script, uploads, and perhaps a hold for people. This deadline is for
 * pods whose runner does not return.
 */
const DEADLINE_MARGIN_SECONDS = 24 * 60 * 60

/**
 * Waits until it is stopped, without a process that needs memory. A signal ends `wait`, but not a command of the shell that
 * runs in the foreground.
 */
const WAIT = `trap 'exit 0' TERM INT
while :; do
  sleep 86400 &
  wait
done`

export const planPod: PlanPod = (request) => {
  const { job, settings, log } = request
  const chosen = overwrite(job, settings, log)
  const namespace = chosen.namespace ?? request.defaultNamespace
  const name = podName(job, settings, request.attempt)
  const labels = podLabels(job, settings, name, chosen.podLabels, log)
  const metadata = { name, namespace, labels }
  const secret = settings.useServiceAccountImagePullSecrets
    ? undefined
    : pullSecret(job, settings, metadata, log)
  const images: ChosenImages = { settings, failedPolicies: request.failedPolicies, uses: [] }
  const spec: V1PodSpec = {
    ...containersOf(request, images),
    ...accountOf(settings, chosen.serviceAccount),
    imagePullSecrets: pullSecretNames(settings, secret && name),
    ...schedulingOf(settings, chosen.nodeSelector, chosen.nodeTolerations),
    ...networkOf(request),
    ...lifetimeOf(request),
    securityContext: settings.podSecurityContext,
    resources: resourcesFor('pod', settings.resources, valuesOf(request), log),
  }
  return {
    namespace,
    pod: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { ...metadata, annotations: podAnnotations(job, chosen.podAnnotations) },
      spec: patched(spec, settings),
    },
    secret,
    images: images.uses,
  }
}

function valuesOf({ job }: PodRequest): ReadonlyMap<string, string> {
  return job.values ?? new Map<string, string>()
}

function containersOf(
  request: PodRequest,
  images: ChosenImages,
): Pick<V1PodSpec, 'volumes' | 'containers' | 'initContainers'> {
  const { job, settings, log } = request
  const values = valuesOf(request)
  const volumes = podVolumes(job, settings.volumes ?? [], request.places)
  const build = { ...buildContainer(request, images), volumeMounts: volumes.build }
  const helper = { ...helperContainer(request, images), volumeMounts: volumes.helper }
  const services = serviceContainers(job.services ?? [], {
    settings,
    values,
    mounts: volumes.services,
    images,
    log,
  })
  return {
    volumes: volumes.volumes,
    containers: [build, helper, ...services],
    initContainers: initContainers(request, helper),
  }
}

/** Its scripts get the variables of the job by files, because all who may see pods see their environment too. */
function buildContainer(request: PodRequest, images: ChosenImages): Container {
  const { job, settings, log } = request
  const { user } = readExecutorOptions(job.image?.executor_opts, 'image', 'kubernetes')
  return {
    name: BUILD,
    ...imageUse(images, { container: BUILD, image: buildImage(request), asked: job.image?.pull_policy }),
    ...commandOf(request),
    resources: resourcesFor('build', settings.resources, valuesOf(request), log),
    securityContext: withUser(
      jobSecurity(settings, settings.buildSecurityContext),
      user === undefined ? undefined : (job.expand?.(user) ?? user),
      'image of the job',
      settings,
      log,
    ),
    lifecycle: {
      preStop: { exec: { command: stopCommand(request.places.control).map(literal) } },
      ...settings.containerLifecycle,
    },
  }
}

function buildImage({ job, settings }: PodRequest): string {
  const own = job.expand?.(settings.image) ?? settings.image
  const image = imageOf(job, settings)
  if (image === '') {
    throw refusal(
      'The job names no image, and the settings of the runner have no default ("image" in [runners.kubernetes])',
    )
  }
  const allowed = settings.allowedImages ?? []
  if (isImageAllowed(image, allowed, own)) return image
  const list = allowed.map((pattern) => `"${pattern}"`).join(', ')
  throw refusal(`The runner does not allow the image "${image}"; allowed: ${list} (allowed_images)`)
}

/** Like the reference runner, the entrypoint of the image runs only with a feature flag. */
function commandOf(request: PodRequest): Pick<Container, 'command' | 'args'> {
  const { job, log } = request
  const command = request.buildCommand.map(literal)
  const flag = 'FF_KUBERNETES_HONOR_ENTRYPOINT'
  if (!booleanSetting(valuesOf(request), flag, false, (text) => log.warning(text))) return { command }
  const entrypoint = job.image?.entrypoint?.map(literal)
  return { command: entrypoint?.length ? entrypoint : undefined, args: command }
}

function helperContainer(request: PodRequest, images: ChosenImages): Container {
  const { job, settings, log } = request
  const configured = settings.helperImage ?? `switchyard:${VERSION}`
  return {
    name: HELPER,
    ...imageUse(images, {
      container: HELPER,
      image: job.expand?.(configured) ?? configured,
      asked: undefined,
    }),
    command: ['sh', '-c', WAIT],
    resources: resourcesFor('helper', settings.resources, valuesOf(request), log),
    securityContext: helperSecurity(settings, settings.helperSecurityContext),
    lifecycle: settings.containerLifecycle,
  }
}

/** For volumes of the settings that belong to another user than that of the helper. */
function initContainers({ settings, places }: PodRequest, helper: Container): Container[] | undefined {
  const own = settings.initPermissionsSecurityContext
  if (!own) return undefined
  const { image, imagePullPolicy, volumeMounts, resources } = helper
  return [
    {
      name: 'init-permissions',
      image,
      imagePullPolicy,
      command: ['sh', '-c', 'chmod 0777 "$0"', literal(places.builds)],
      resources,
      volumeMounts: volumeMounts?.filter(({ mountPath }) => mountPath === places.builds),
      securityContext: helperSecurity(settings, own),
    },
  ]
}

/** The scripts of a job have the token of an account only if the settings or the job name one. */
function accountOf(
  settings: KubernetesExecutorSettings,
  serviceAccount: string | undefined,
): Pick<V1PodSpec, 'serviceAccountName' | 'automountServiceAccountToken'> {
  return {
    serviceAccountName: serviceAccount,
    automountServiceAccountToken:
      settings.automountServiceAccountToken ?? (serviceAccount === undefined ? false : undefined),
  }
}

function pullSecretNames(
  { imagePullSecrets = [], useServiceAccountImagePullSecrets }: KubernetesExecutorSettings,
  own: string | undefined,
): V1PodSpec['imagePullSecrets'] {
  const names = useServiceAccountImagePullSecrets
    ? []
    : [...imagePullSecrets, ...(own === undefined ? [] : [own])]
  return names.length > 0 ? names.map((name) => ({ name })) : undefined
}

function schedulingOf(
  settings: KubernetesExecutorSettings,
  nodeSelector: Record<string, string>,
  tolerations: Record<string, string>,
): Partial<V1PodSpec> {
  const tolerated = Object.entries(tolerations).map(tolerationOf)
  return {
    nodeSelector: Object.keys(nodeSelector).length > 0 ? nodeSelector : undefined,
    tolerations: tolerated.length > 0 ? tolerated : undefined,
    affinity: settings.affinity,
    schedulerName: settings.schedulerName,
    priorityClassName: settings.priorityClassName,
    runtimeClassName: settings.runtimeClassName,
  }
}

function tolerationOf([taint, effect]: [string, string]): V1Toleration {
  const at = taint.indexOf('=')
  const how =
    at < 0
      ? { key: taint || undefined, operator: 'Exists' }
      : { key: taint.slice(0, at), operator: 'Equal', value: taint.slice(at + 1) }
  return { ...how, effect: effect || undefined }
}

function networkOf({ job, settings }: PodRequest): Partial<V1PodSpec> {
  return {
    hostAliases: hostAliases(job.services ?? [], settings.hostAliases ?? []),
    dnsPolicy: settings.dnsPolicy,
    dnsConfig: settings.dnsConfig,
    // Otherwise scripts and services would get variables such as POSTGRES_PORT of services of the namespace.
    enableServiceLinks: false,
  }
}

function lifetimeOf({ job, settings }: PodRequest): Partial<V1PodSpec> {
  return {
    restartPolicy: 'Never',
    activeDeadlineSeconds:
      job.timeoutSeconds === undefined ? undefined : job.timeoutSeconds + DEADLINE_MARGIN_SECONDS,
    terminationGracePeriodSeconds: settings.podTerminationGracePeriodSeconds,
  }
}

function patched(spec: V1PodSpec, { podSpec = [] }: KubernetesExecutorSettings): V1PodSpec {
  return podSpec.length === 0 ? spec : (applyPatches(spec, podSpec, [BUILD, HELPER]) as V1PodSpec)
}
