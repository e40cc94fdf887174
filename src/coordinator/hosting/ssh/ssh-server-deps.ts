import type { LoginGuard } from '../../http/authentication/login-guard.js'
import type { LfsAuthentication } from './authenticate-lfs.js'
import type { SshGitDeps } from './serve-git.js'

export interface SshServerDeps extends SshGitDeps {
  dataDir: string
  /** What answers to Git LFS clients need. */
  largeFiles: Pick<LfsAuthentication, 'secrets' | 'externalUrl'>
  /** Limits and records wrong keys from this address. */
  guardOf: (address: string) => LoginGuard
  /** Records that the user was here. */
  onUsed?: (userId: number) => void
  /** Overrides of the defaults in tests. */
  timeouts?: Partial<SshTimeouts>
}

export interface SshTimeouts {
  /** Until a client is authenticated, in milliseconds. */
  login: number
  /** Of an authenticated connection that runs nothing, in milliseconds. */
  unused: number
  /** Without a byte in either direction while git runs, in milliseconds: clients compress large pushes in silence. */
  silent: number
}
