import { renderSVG } from 'uqr'

import type { CallerSession, User } from '../../access/caller.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import { lockRow } from '../../database/lock-row.js'
import { hasFactor } from '../../database/stores/second-factor-store.js'
import { deleteSessionsOfUser, setEnrolmentDeadline } from '../../database/stores/web-session-store.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { apiError, notFound } from '../../http/errors.js'
import { newRecoveryCodes, recoveryCodeDigest } from './recovery-codes.js'
import {
  confirmTotpFactor,
  deletePasskey,
  deletePasskeysOf,
  deleteTotpFactor,
  findTotpFactor,
  insertPasskey,
  type Passkey,
  replaceRecoveryCodes,
  storeTotpSecret,
} from './store.js'
import { newTotpSecret, otpauthAddress, stepOfCode } from './totp.js'

export interface FactorDeps {
  database: Database
  secrets: SecretBox
  /** The URL that clients use, without a trailing slash. */
  externalUrl: string
}

/** What an app needs to show codes. */
export interface NewTotp {
  /** In base32. */
  secret: string
  /** `otpauth://totp/…` */
  address: string
  /** The address as a QR code. */
  svg: string
}

/** Begins to set up an app: its secret is a factor from its first code on. Throws 409 if the user has an app. */
export async function startTotp(
  { database, secrets, externalUrl }: FactorDeps,
  user: User,
): Promise<NewTotp> {
  const secret = newTotpSecret()
  if (!(await storeTotpSecret(database, user.id, secrets.encrypt(secret)))) throw apiError('totp_exists')
  return shownTotp(secret, { host: new URL(externalUrl).host, username: user.username })
}

/** The secret that the user has begun to set up; undefined without one. */
export async function startedTotp(
  { database, secrets, externalUrl }: FactorDeps,
  user: User,
): Promise<NewTotp | undefined> {
  const factor = await findTotpFactor(database, user.id)
  if (!factor || factor.confirmed_at !== null) return undefined
  const names = { host: new URL(externalUrl).host, username: user.username }
  return shownTotp(secrets.decrypt(factor.secret_encrypted), names)
}

function shownTotp(secret: string, names: { host: string; username: string }): NewTotp {
  const address = otpauthAddress(secret, names)
  return { secret, address, svg: renderSVG(address, { border: 2, pixelSize: 4 }) }
}

/**
 * Makes the app a factor by its first code. Resolves to the recovery codes, if it is the first factor of the user. Throws
 * 403 for a wrong code and 409 if there is nothing to set up.
 */
export async function completeTotp(
  { database, secrets }: FactorDeps,
  { user, session }: { user: User; session: Pick<CallerSession, 'id'> },
  code: string,
): Promise<string[] | null> {
  return inTransaction(database, async (tx) => {
    const isFirst = await lockFactors(tx, user.id)
    const factor = await findTotpFactor(tx, user.id)
    if (!factor || factor.confirmed_at !== null) throw apiError('totp_not_started')
    const step = stepOfCode(secrets.decrypt(factor.secret_encrypted), code, Date.now())
    if (step === undefined) throw apiError('wrong_code')
    if (!(await confirmTotpFactor(tx, factor, step))) throw apiError('totp_not_started')
    return isFirst ? firstFactor(tx, user.id, session) : null
  })
}

/** As `completeTotp`, for a passkey whose signature has been verified. Throws 409 if it is registered already. */
export async function addPasskey(
  database: Database,
  { user, session }: { user: User; session: Pick<CallerSession, 'id'> },
  values: Omit<Parameters<typeof insertPasskey>[1], 'user_id'>,
): Promise<{ passkey: Passkey; recoveryCodes: string[] | null }> {
  return inTransaction(database, async (tx) => {
    const isFirst = await lockFactors(tx, user.id)
    const passkey = await insertPasskey(tx, { ...values, user_id: user.id })
    if (!passkey) throw apiError('passkey_exists')
    return { passkey, recoveryCodes: isFirst ? await firstFactor(tx, user.id, session) : null }
  })
}

/** Replaces the recovery codes. Throws 400 for a user without a factor. */
export async function renewRecoveryCodes(database: Database, userId: number): Promise<string[]> {
  return inTransaction(database, async (tx) => {
    if (await lockFactors(tx, userId)) throw apiError('two_factor_not_enabled')
    return newCodes(tx, userId)
  })
}

/** Throws 404 without an app. */
export async function removeTotp(database: Database, userId: number): Promise<void> {
  await inTransaction(database, async (tx) => {
    await lockFactors(tx, userId)
    if (!(await deleteTotpFactor(tx, userId))) throw notFound('Authenticator app')
    await dropUselessCodes(tx, userId)
  })
}

/** Throws 404 if the user has no passkey with this ID. */
export async function removePasskey(database: Database, userId: number, id: number): Promise<void> {
  await inTransaction(database, async (tx) => {
    await lockFactors(tx, userId)
    if (!(await deletePasskey(tx, userId, id))) throw notFound('Passkey')
    await dropUselessCodes(tx, userId)
  })
}

/** Removes all factors and recovery codes. Throws 400 for a user without a factor. */
export async function turnOff(database: Database, userId: number): Promise<void> {
  await inTransaction(database, async (tx) => {
    if (await lockFactors(tx, userId)) throw apiError('two_factor_not_enabled')
    await deleteTotpFactor(tx, userId)
    await deletePasskeysOf(tx, userId)
    await replaceRecoveryCodes(tx, userId, [])
  })
}

/** Holds other changes of the factors of a user back until the end of the transaction. Whether there is none yet. */
async function lockFactors(tx: Transaction, userId: number): Promise<boolean> {
  if (!(await lockRow(tx, 'user', userId))) throw notFound('User')
  return !(await hasFactor(tx, userId))
}

/**
 * From the first factor on, the other sessions end: they were opened without one. Resolves to the recovery codes, which are
 * not stored.
 */
async function firstFactor(
  tx: Transaction,
  userId: number,
  session: Pick<CallerSession, 'id'>,
): Promise<string[]> {
  await deleteSessionsOfUser(tx, userId, { except: session.id })
  await setEnrolmentDeadline(tx, { userId, deadline: null })
  return newCodes(tx, userId)
}

async function newCodes(tx: Transaction, userId: number): Promise<string[]> {
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(
    tx,
    userId,
    codes.flatMap((code) => recoveryCodeDigest(code) ?? []),
  )
  return codes
}

/** Recovery codes replace a factor; without one they must not outlive it. */
async function dropUselessCodes(tx: Transaction, userId: number): Promise<void> {
  if (!(await hasFactor(tx, userId))) await replaceRecoveryCodes(tx, userId, [])
}
