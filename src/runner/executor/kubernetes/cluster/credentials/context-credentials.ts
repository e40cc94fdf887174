import { readFile } from 'node:fs/promises'

import { environmentProxy } from '../../../../../lib/environment-proxy.js'
import { messageOf } from '../../../../../lib/errors.js'
import { chooseAuthenticator } from './authenticators.js'
import { type Authenticator, type Credentials, credentialsError, type Identity } from './credentials.js'
import type { KubeconfigContext } from './kubeconfig.js'

/** The credentials of a context. Its files are read again for each connection. */
export class ContextCredentials implements Credentials {
  readonly server: URL
  readonly proxy: URL | undefined
  readonly namespace: string
  private readonly authenticator: Authenticator | undefined

  constructor(
    private readonly context: KubeconfigContext,
    environment: NodeJS.ProcessEnv,
  ) {
    const { cluster, user, namespace } = context
    if (!URL.canParse(cluster.server)) {
      throw credentialsError(
        `The address "${cluster.server}" of the cluster "${cluster.name}" is not valid: correct it in the kubeconfig`,
      )
    }
    this.server = new URL(cluster.server)
    this.proxy = findProxy(cluster, this.server, environment)
    this.namespace = namespace || 'default'
    this.authenticator = chooseAuthenticator(user, cluster, environment)
  }

  async identity(): Promise<Identity> {
    const { cluster, user } = this.context
    const granted = await this.authenticator?.authenticate()
    const [ca, cert, key] = await Promise.all([
      fileOrData(cluster.caFile, cluster.caData, 'certificate of the authority'),
      granted?.cert ?? fileOrData(user.certFile, user.certData, 'client certificate'),
      granted?.key ?? fileOrData(user.keyFile, user.keyData, 'key of the client certificate'),
    ])
    return {
      tls: {
        ...(ca && { ca }),
        ...(cert && { cert }),
        ...(key && { key }),
        ...(cluster.tlsServerName && { servername: cluster.tlsServerName }),
        ...(cluster.skipTLSVerify && { rejectUnauthorized: false }),
      },
      headers: {
        ...(granted?.authorization && { authorization: granted.authorization }),
        ...(user.impersonateUser && { 'impersonate-user': user.impersonateUser }),
        ...(user.impersonatedGroups && { 'impersonate-group': user.impersonatedGroups }),
      },
    }
  }

  renew(): boolean {
    return this.authenticator?.renew?.() ?? false
  }
}

/** `proxy-url` of the cluster, else that of the environment. */
function findProxy(
  { name, proxyUrl }: KubeconfigContext['cluster'],
  server: URL,
  environment: NodeJS.ProcessEnv,
): URL | undefined {
  if (!proxyUrl) return environmentProxy(server, environment)
  const proxy = URL.canParse(proxyUrl) ? new URL(proxyUrl) : undefined
  if (proxy && ['http:', 'https:'].includes(proxy.protocol)) return proxy
  throw credentialsError(
    `The proxy-url of the cluster "${name}" of the kubeconfig must be an address such as http://10.0.0.1:3128`,
  )
}

async function fileOrData(
  file: string | undefined,
  data: string | undefined,
  what: string,
): Promise<Buffer | undefined> {
  if (!file) return data ? Buffer.from(data, 'base64') : undefined
  try {
    return await readFile(file)
  } catch (error) {
    throw credentialsError(
      `The ${what} for the API server cannot be read: ${messageOf(error)}. Check the path in the settings or the kubeconfig, and the owner of the file.`,
      error,
    )
  }
}
