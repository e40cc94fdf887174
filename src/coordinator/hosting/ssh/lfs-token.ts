import { type Static, Type } from 'typebox'

import { openToken, sealToken } from '../../crypto/sealed-token.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { basicCredentials, type GitCaller } from '../../http/authentication/git-credentials.js'
import { apiError, unauthorized } from '../../http/errors.js'
import type { GitAccess } from '../repositories/http/git-access.js'
import { findHolderOfFingerprint } from './find-key.js'

/** Lifetime of a token, in seconds: the client asks for another one when it has ended. */
export const TOKEN_SECONDS = 1800

const PREFIX = 'sylfs-'

const Token = Type.Object({
  fingerprint: Type.String(),
  /** Whether it also allows uploads and locks. */
  uploads: Type.Boolean(),
  /** Milliseconds since 1970. */
  endsAt: Type.Number(),
})

/**
 * A password for the Git LFS server that stands for an SSH key: it expires with the key, and gives access to nothing
 * else.
 */
export function newLfsToken(
  secrets: SecretBox,
  { fingerprint, uploads }: { fingerprint: string; uploads: boolean },
): string {
  const content: Static<typeof Token> = { fingerprint, uploads, endsAt: Date.now() + TOKEN_SECONDS * 1000 }
  return PREFIX + sealToken(secrets, content)
}

/** Authenticates by these tokens, too. */
export function acceptingLfsTokens(
  { database, secrets }: { database: Database; secrets: SecretBox },
  access: GitAccess,
): GitAccess {
  return {
    ...access,
    authenticate: async (shown) => {
      const { password } = basicCredentials(shown.authorization) ?? {}
      return password?.startsWith(PREFIX)
        ? callerOf(database, openToken(secrets, Token, password.slice(PREFIX.length)))
        : access.authenticate(shown)
    },
  }
}

/** Throws 401 for a token that has ended or whose key is gone, and 403 for a blocked account. */
async function callerOf(database: Database, token: Static<typeof Token> | undefined): Promise<GitCaller> {
  if (!token || token.endsAt <= Date.now()) throw unauthorized()
  const holder = await findHolderOfFingerprint(database, token.fingerprint)
  if (!holder) throw unauthorized()
  if ('refused' in holder) throw apiError('account_blocked')
  const { caller } = holder
  if (token.uploads) return caller
  if (caller.kind === 'user') return { ...caller, scopes: ['read_repository'] }
  if (caller.kind !== 'deploy-key') return caller
  return { ...caller, projects: caller.projects.map((project) => ({ ...project, canPush: false })) }
}
