import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'

import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import type { GitCaller } from '../../http/authentication/git-credentials.js'
import { forbidden, unauthorized } from '../../http/errors.js'
import type { GitAccess } from '../repositories/http/git-access.js'
import { findHolderOfFingerprint } from './find-key.js'

/** Lifetime of a token, in seconds: the client asks for another one when it has ended. */
export const TOKEN_SECONDS = 1800

const PREFIX = 'sylfs-'
/** Longest token, in characters. */
const LONGEST_TOKEN = 1000

const Token = Type.Object({
  fingerprint: Type.String(),
  /** Whether it also allows uploads and locks. */
  uploads: Type.Boolean(),
  /** Milliseconds since 1970. */
  endsAt: Type.Number(),
})

/** A password for the Git LFS server that stands for an SSH key: it ends with the key, and opens nothing else. */
export function newLfsToken(
  secrets: SecretBox,
  { fingerprint, uploads }: { fingerprint: string; uploads: boolean },
): string {
  const content: Static<typeof Token> = { fingerprint, uploads, endsAt: Date.now() + TOKEN_SECONDS * 1000 }
  return PREFIX + Buffer.from(secrets.encrypt(JSON.stringify(content))).toString('base64url')
}

/** Authenticates by these tokens, too. */
export function acceptingLfsTokens(
  { database, secrets }: { database: Database; secrets: SecretBox },
  access: GitAccess,
): GitAccess {
  return {
    ...access,
    authenticate: async (shown) => {
      const token = passwordOf(shown.authorization)
      return token?.startsWith(PREFIX)
        ? callerOf(database, readToken(secrets, token))
        : access.authenticate(shown)
    },
  }
}

/** Throws 401 for a token that has ended or whose key is gone, and 403 for a blocked account. */
async function callerOf(database: Database, token: Static<typeof Token> | undefined): Promise<GitCaller> {
  if (!token || token.endsAt <= Date.now()) throw unauthorized()
  const holder = await findHolderOfFingerprint(database, token.fingerprint)
  if (!holder) throw unauthorized()
  if ('refused' in holder) throw forbidden('Your account has been blocked.')
  const { caller } = holder
  if (token.uploads) return caller
  if (caller.kind === 'user') return { ...caller, scopes: ['read_repository'] }
  if (caller.kind !== 'deploy-key') return caller
  return { ...caller, projects: caller.projects.map((project) => ({ ...project, canPush: false })) }
}

function readToken(secrets: SecretBox, token: string): Static<typeof Token> | undefined {
  if (token.length > LONGEST_TOKEN) return undefined
  try {
    const sealed = Buffer.from(token.slice(PREFIX.length), 'base64url').toString()
    const content: unknown = JSON.parse(secrets.decrypt(sealed))
    return Check(Token, content) ? content : undefined
  } catch {
    // Whatever cannot be decrypted is a wrong password.
    return undefined
  }
}

function passwordOf(authorization: string | undefined): string | undefined {
  const [, encoded = ''] = /^basic (\S+)$/i.exec(authorization ?? '') ?? []
  return /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString())?.[1]
}
