import type { V1Secret } from '@kubernetes/client-node'

import type { JobLog } from '../../../trace/job-log.js'
import type { RegistryAuth } from '../../docker/credentials/auth-config.js'
import { variableSources } from '../../docker/credentials/credential-sources.js'
import type { ExecutorJob } from '../../executor.js'
import type { KubernetesExecutorSettings } from '../settings.js'

/** Kubelets look for the credentials of Docker Hub under this address. */
const DOCKER_HUB = { path: 'docker.io', address: 'https://index.docker.io/v1/' }

/**
 * The secret with the credentials for the images of a job, from `DOCKER_AUTH_CONFIG` of the job, that of the runner and the
 * coordinator, in this order. Undefined if there are none.
 */
export function pullSecret(
  job: ExecutorJob,
  settings: KubernetesExecutorSettings,
  metadata: NonNullable<V1Secret['metadata']>,
  log: Pick<JobLog, 'warning'>,
): V1Secret | undefined {
  const auths = new Map<string, object>()
  for (const { config, name } of variableSources(job, settings, log)) {
    if (config.helpers.size > 0 || config.store !== undefined) {
      log.warning(
        `"credHelpers" and "credsStore" in ${name} are ignored: images are pulled by the nodes of the cluster`,
      )
    }
    for (const [path, auth] of config.auths) {
      const entry = entryOf(auth)
      if (!entry)
        log.warning(
          `The token for ${path} in ${name} is not used: Kubernetes needs a user name and a password`,
        )
      else if (!auths.has(path)) auths.set(path, entry)
    }
  }
  if (auths.size === 0) return undefined
  const addressed = [...auths].map(([path, entry]) => [
    path === DOCKER_HUB.path ? DOCKER_HUB.address : path,
    entry,
  ])
  const text = JSON.stringify({ auths: Object.fromEntries(addressed) as object })
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata,
    type: 'kubernetes.io/dockerconfigjson',
    data: { '.dockerconfigjson': Buffer.from(text).toString('base64') },
  }
}

function entryOf({ username, password }: RegistryAuth): object | undefined {
  if (username === undefined || password === undefined) return undefined
  return { username, password, auth: Buffer.from(`${username}:${password}`).toString('base64') }
}
