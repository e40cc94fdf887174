import { MINUTE } from '../../../lib/time-units.js'
import type { User } from '../../access/caller.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { createSharedCounts } from '../../http/rate-limits/shared-counts.js'
import { recoveryCodeDigest } from './recovery-codes.js'
import { findTotpFactor, useRecoveryCode, useTotpStep } from './store.js'
import { stepOfCode } from './totp.js'

export interface CodeDeps {
  database: Database
  secrets: SecretBox
}

/** What a code proves. `limited`: too many were wrong; `retryAt` is in milliseconds since 1970. */
export type CodeResult = 'totp' | 'recovery_code' | 'wrong' | { limited: true; retryAt: number }

/** Codes of an app that may be tried for an account, in a window of this length. */
const ATTEMPTS = 10
const WINDOW = 10 * MINUTE

/**
 * Uses a code of the app, or a recovery code, of a user who has given the first factor. Each counts once, also if two
 * coordinators receive it at the same time. After ten wrong codes the account accepts none of the app for up to ten
 * minutes; recovery codes and passkeys, which cannot be guessed, it still accepts. So a person who knows the password
 * does not keep the owner out.
 */
export async function verifyCode(
  { database, secrets }: CodeDeps,
  { id }: Pick<User, 'id'>,
  typed: string,
): Promise<CodeResult> {
  const digest = recoveryCodeDigest(typed)
  if (digest !== undefined) return (await useRecoveryCode(database, id, digest)) ? 'recovery_code' : 'wrong'
  const now = Date.now()
  const retryAt = (Math.floor(now / WINDOW) + 1) * WINDOW
  const counts = createSharedCounts(database)
  // Counted before it is compared: requests at the same time are attempts too.
  if ((await counts.add(subjectOf(id), retryAt)) > ATTEMPTS) return { limited: true, retryAt }
  const factor = await findTotpFactor(database, id)
  if (!factor || factor.confirmed_at === null) return 'wrong'
  const step = stepOfCode(secrets.decrypt(factor.secret_encrypted), typed, now)
  if (step === undefined || !(await useTotpStep(database, id, step))) return 'wrong'
  await counts.delete(subjectOf(id))
  return 'totp'
}

function subjectOf(userId: number): string {
  return `second factor ${userId}`
}
