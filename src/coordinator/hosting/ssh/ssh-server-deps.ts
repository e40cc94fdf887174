import type { LoginGuard } from '../../http/authentication/login-guard.js'
import type { LfsAuthentication } from './authenticate-lfs.js'
import type { FindKeyDeps } from './find-key.js'
import type { SshGitDeps } from './serve-git.js'

export interface SshServerDeps extends SshGitDeps {
  dataDir: string
  /** What responses to Git LFS clients need. */
  largeFiles: Pick<LfsAuthentication, 'secrets' | 'externalUrl'>
  /** Limits and records wrong keys from this address. */
  guardOf: (address: string) => LoginGuard
  /** Records that the user was here. */
  onUsed?: (userId: number) => void
  /** Records that a command was run with the key of a user. */
  onKeyUsed?: (keyId: number) => void
  /** Whether administrators allow keys of this kind and size. */
  allowsKey?: FindKeyDeps['allowsKey']
  /** Overrides of the defaults in tests. */
  timeouts?: Partial<SshTimeouts>
  limits?: Partial<SshLimits>
}

/** Numbers of connections. */
export interface SshLimits {
  /** Connections that are not authenticated, of all addresses. */
  logins: number
  /** Connections that are not authenticated, of one address. */
  loginsOfAddress: number
  /** Connections of one user or deploy key. */
  ofHolder: number
}

export interface SshTimeouts {
  /** Maximum time until a client is authenticated, in milliseconds. */
  login: number
  /** Maximum idle time of an authenticated connection, in milliseconds. */
  unused: number
  /** Without a byte in either direction during a push, in milliseconds: clients compress large pushes in silence. */
  silent: number
  /** As `silent`, during a fetch. */
  fetching: number
}
