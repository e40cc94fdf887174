import type { ConnectionOptions } from 'node:tls'

import { ClusterError } from '../cluster.js'

/** Where the API server of a cluster is, and who calls it. */
export interface Credentials {
  readonly server: URL
  /** Through which the API server is reached. May have a user and a password. */
  readonly proxy: URL | undefined
  readonly namespace: string
  /** Tokens and certificates are renewed while a runner runs, so this must be called for each connection. Throws a `ClusterError`. */
  identity(): Promise<Identity>
  /** Must be called when the API server has refused the identity. Returns whether the next one may be another. */
  renew(): boolean
}

export interface Identity {
  tls: Pick<ConnectionOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'servername'>
  headers: Record<string, string | string[]>
}

/** What a user shows to the API server. Never part of a message. */
export interface Grant {
  /** Value of the header. */
  authorization?: string
  cert?: Buffer
  key?: Buffer
}

export interface Authenticator {
  authenticate(): Promise<Grant>
  /** As `Credentials.renew`. Absent if there is nothing to renew. */
  renew?(): boolean
}

/**
 * Credentials that cannot be used for now: the message names the file or the program and the remedy. It counts as the absence of the API
 * server, because files and programs may be repaired while jobs run.
 */
export function credentialsError(message: string, cause?: unknown): ClusterError {
  return new ClusterError(message, undefined, undefined, { cause })
}
