import { access, readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

import { messageOf } from '../../../../../lib/errors.js'
import type { ClusterSettings } from '../../settings.js'
import { ContextCredentials } from './context-credentials.js'
import type { Credentials } from './credentials.js'
import { credentialsError } from './credentials.js'
import { type KubeconfigContext, readKubeconfig } from './kubeconfig.js'

/** Where Kubernetes mounts the files of the service account of a pod. */
const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount'
const DEFAULT_NAMESPACE = 'default'

/** What names a cluster besides the settings. */
export interface Surroundings {
  environment: NodeJS.ProcessEnv
  serviceAccountFolder?: string
}

/**
 * The credentials that the settings name: `host`, else a kubeconfig, else `KUBECONFIG`, else the service account of the pod that the runner
 * runs in, else `~/.kube/config`. Throws a `ClusterError` that names the file and the remedy.
 */
export async function loadCredentials(
  settings: ClusterSettings,
  surroundings: Surroundings = { environment: process.env },
): Promise<Credentials> {
  const context = await findContext(settings, surroundings)
  return new ContextCredentials(context, surroundings.environment)
}

async function findContext(
  settings: ClusterSettings,
  surroundings: Surroundings,
): Promise<KubeconfigContext> {
  const { environment, serviceAccountFolder = SERVICE_ACCOUNT } = surroundings
  if (settings.host) return contextOfHost(settings, settings.host)
  if (settings.kubeconfig) return await readKubeconfig([settings.kubeconfig], settings.context)
  const named = (environment['KUBECONFIG'] ?? '').split(delimiter).filter((file) => file !== '')
  if (named.length > 0) return await readKubeconfig(named, settings.context)
  const own = await contextOfPod(environment, serviceAccountFolder)
  if (own) return own
  const usual = join(environment['HOME'] ?? homedir(), '.kube', 'config')
  if (await exists(usual)) return await readKubeconfig([usual], settings.context)
  throw credentialsError(
    'No cluster is known: name one by "host" or "kubeconfig" in [runners.kubernetes], set KUBECONFIG, or run the runner in a pod with a service account',
  )
}

function contextOfHost(settings: ClusterSettings, host: string): KubeconfigContext {
  const server = host.includes('://') ? host : `https://${host}`
  if (!URL.canParse(server)) {
    throw credentialsError(
      `"host" in [runners.kubernetes] is "${host}", but must be an address such as https://10.0.0.1:6443`,
    )
  }
  return {
    cluster: {
      name: 'host',
      server,
      skipTLSVerify: false,
      ...(settings.caFile && { caFile: settings.caFile }),
    },
    user: {
      name: 'settings',
      ...(settings.certFile && { certFile: settings.certFile }),
      ...(settings.keyFile && { keyFile: settings.keyFile }),
      ...(settings.bearerToken && { token: settings.bearerToken }),
    },
    namespace: undefined,
  }
}

/** Undefined outside of a pod with a service account. */
async function contextOfPod(
  environment: NodeJS.ProcessEnv,
  folder: string,
): Promise<KubeconfigContext | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = environment
  const tokenFile = join(folder, 'token')
  if (!host || !port || !(await exists(tokenFile))) return undefined
  return {
    cluster: {
      name: 'in-cluster',
      server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      caFile: join(folder, 'ca.crt'),
      skipTLSVerify: false,
    },
    user: { name: 'service-account', tokenFile },
    namespace: await readNamespace(join(folder, 'namespace')),
  }
}

async function readNamespace(file: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim() || DEFAULT_NAMESPACE
  } catch (error) {
    throw credentialsError(`The namespace of the service account cannot be read: ${messageOf(error)}`, error)
  }
}

async function exists(file: string): Promise<boolean> {
  return await access(file).then(
    () => true,
    () => false,
  )
}
