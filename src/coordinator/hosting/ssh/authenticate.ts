import ssh2 from 'ssh2'

import type { User } from '../../access/caller.js'
import type { LoginGuard } from '../../http/authentication/login-guard.js'
import { ApiError } from '../../http/errors.js'
import { type FindKeyDeps, findKeyHolder } from './find-key.js'

/** Attempts of one connection, as many as OpenSSH allows. The probes of a client with several keys count. */
const MAX_ATTEMPTS = 6

export interface Authentication {
  keys: FindKeyDeps
  guard: LoginGuard
  /** Closes the connection. */
  close: () => void
  /** Called with the bytes of the key whose holder has signed, and the name of that holder. */
  accept: (key: Buffer, holder: string) => void
  onError: (error: unknown) => void
}

/**
 * Serves the attempts of one connection: only public keys, and only of the user `git`. Keys are limited like passwords
 * over HTTP, but a connection counts as one failure however many keys it shows, because agents show all that they have.
 */
export class SshAuthenticator {
  private attempts = 0
  private hasFailed = false
  private readonly refused = new Set<number>()

  constructor(private readonly deps: Authentication) {}

  respond(attempt: ssh2.AuthContext): void {
    this.decide(attempt).catch((error: unknown) => {
      if (!(error instanceof ApiError)) this.deps.onError(error)
      this.deps.close()
    })
  }

  private async decide(attempt: ssh2.AuthContext): Promise<void> {
    // Every client begins with `none` to learn the methods.
    if (attempt.method !== 'none' && ++this.attempts > MAX_ATTEMPTS) {
      this.deps.close()
      return
    }
    this.deps.guard.check()
    const isAccepted = attempt.method === 'publickey' && (await this.acceptsKey(attempt))
    if (!isAccepted) {
      if (attempt.method !== 'none') await this.recordFailure()
      attempt.reject(['publickey'])
      return
    }
    attempt.accept()
  }

  private async acceptsKey(attempt: ssh2.PublicKeyAuthContext): Promise<boolean> {
    // A signature of RSA without a hash algorithm is one with SHA-1.
    if (attempt.username !== 'git' || (attempt.key.algo === 'ssh-rsa' && isSha1(attempt))) return false
    const holder = await findKeyHolder(this.deps.keys, attempt.key.data)
    if (!holder) return false
    // Without a signature, the client only asks whether the key is known.
    const isSigned = attempt.signature !== undefined
    if (isSigned && !isSignedBy(attempt)) return false
    if ('refused' in holder) {
      // A failed sign-in is one of somebody who has the key.
      if (isSigned) await this.recordRefused(holder.refused)
      return !isSigned
    }
    if (isSigned) this.deps.accept(attempt.key.data, holder.name)
    return true
  }

  private async recordFailure(): Promise<void> {
    if (this.hasFailed) return
    this.hasFailed = true
    await this.deps.guard.failed()
  }

  private async recordRefused(user: User): Promise<void> {
    if (this.refused.has(user.id)) return
    this.refused.add(user.id)
    await this.deps.guard.refused(user)
  }
}

function isSha1({ signature, hashAlgo }: ssh2.PublicKeyAuthContext): boolean {
  return signature !== undefined && hashAlgo === undefined
}

function isSignedBy({ key, blob, signature, hashAlgo }: ssh2.PublicKeyAuthContext): boolean {
  const parsed = ssh2.utils.parseKey(key.data)
  if (parsed instanceof Error || !blob || !signature) return false
  return parsed.verify(blob, signature, hashAlgo)
}
