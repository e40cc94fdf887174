import { EgressClient } from '../../../coordinator/egress/egress-client.js'
import { EgressRules, parseAllowedHost } from '../../../egress/egress-rules.js'
import type { WorkingDirectory } from '../working-directory.js'
import { gitCredential } from './git-credentials.js'
import { KeptCopies } from './kept-copies.js'
import { OutsideFiles } from './outside-files.js'
import { passwordOfRemote, serverOfRemote } from './server-address.js'
import { ServerClient } from './server-client.js'

/** The user's options for files that are not in the working directory. */
export interface OutsideFlags {
  /** Address of the server; by default that of the git remote `origin`. */
  server?: string
  token?: string
  offline?: boolean
  serverVariables?: boolean
}

export interface Outside {
  files: OutsideFiles
  /** Undefined if it is not known. */
  server: ServerClient | undefined
}

/**
 * Opens the way to other projects and addresses. Only the server of the project may be in the local network; a CI file
 * cannot make this machine ask other hosts of it.
 */
export function openOutside(directory: WorkingDirectory, flags: OutsideFlags): Outside {
  const address =
    flags.server === undefined ? serverOfRemote(directory.remote) : new URL(withSlash(flags.server))
  const allowed = address && parseAllowedHost(address.hostname)
  const client = new EgressClient({
    allowLocalNetwork: false,
    allowed: new EgressRules(allowed ? [allowed] : []),
  })
  const token = flags.token ?? (process.env['SWITCHYARD_TOKEN'] || undefined)
  const isOfRemote = flags.server === undefined
  const findToken = async () =>
    (isOfRemote ? passwordOfRemote(directory.remote) : undefined) ??
    (address && gitCredential(address, directory.root))
  const server = address && new ServerClient(client, { server: address, token, findToken })
  const files = new OutsideFiles({
    client,
    copies: new KeptCopies(),
    server,
    isOffline: flags.offline ?? false,
    warn: (message) => console.error(`switchyard: ${message}`),
  })
  return { files, server }
}

function withSlash(address: string): string {
  return address.endsWith('/') ? address : `${address}/`
}
