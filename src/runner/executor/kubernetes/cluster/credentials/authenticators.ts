import { readFile } from 'node:fs/promises'
import type { RequestOptions } from 'node:https'

import type { Cluster, User } from '@kubernetes/client-node'

import { messageOf } from '../../../../../lib/errors.js'
import { isRecord } from '../../../../../lib/is-record.js'
import { type Authenticator, credentialsError, type Grant } from './credentials.js'
import { ExecPlugin, readPluginSettings } from './exec-plugin.js'
import type { KubeconfigUser } from './kubeconfig.js'

/** Undefined for a user that has at most a certificate. */
export function chooseAuthenticator(
  user: KubeconfigUser,
  cluster: Cluster,
  environment: NodeJS.ProcessEnv,
): Authenticator | undefined {
  const { tokenFile, token, username, password = '' } = user
  if (tokenFile) return { authenticate: async () => bearer(await readToken(tokenFile)) }
  if (token) return { authenticate: async () => bearer(token) }
  if (username) {
    const pair = Buffer.from(`${username}:${password}`).toString('base64')
    return { authenticate: async () => ({ authorization: `Basic ${pair}` }) }
  }
  const plugin: unknown = user.exec
  if (plugin) return new ExecPlugin(readPluginSettings(plugin, user.name), cluster, environment)
  const provider: unknown = user.authProvider
  if (isRecord(provider)) return new ProviderAuthenticator(user, provider)
  return undefined
}

function bearer(token: string): Grant {
  return { authorization: `Bearer ${token}` }
}

async function readToken(file: string): Promise<string> {
  let token: string
  try {
    token = (await readFile(file, 'utf8')).trim()
  } catch (error) {
    throw credentialsError(
      `The token for the API server cannot be read: ${messageOf(error)}. Check that the file exists and its owner.`,
      error,
    )
  }
  if (token === '') throw credentialsError(`The file ${file} with the token for the API server is empty`)
  return token
}

/** `auth-provider` of a user, for which the official client has code. It renews its token itself. */
class ProviderAuthenticator implements Authenticator {
  private provider: { applyAuthentication(user: User, options: RequestOptions): Promise<void> } | undefined

  constructor(
    private readonly user: User,
    { name }: Record<string, unknown>,
  ) {
    if (name !== 'oidc') {
      throw credentialsError(
        `The user "${user.name}" of the kubeconfig has the auth-provider "${String(name)}", which Kubernetes has removed: use the exec plugin that replaces it`,
      )
    }
  }

  async authenticate(): Promise<Grant> {
    const { OpenIDConnectAuth } = await import('@kubernetes/client-node/dist/oidc_auth.js')
    this.provider ??= new OpenIDConnectAuth()
    const headers: Record<string, string> = {}
    try {
      await this.provider.applyAuthentication(this.user, { headers })
    } catch (error) {
      throw credentialsError(
        `The auth-provider of the user "${this.user.name}" of the kubeconfig failed: ${messageOf(error)}`,
        error,
      )
    }
    const authorization = headers['Authorization']
    return authorization === undefined ? {} : { authorization }
  }
}
