import { isIP } from 'node:net'

import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { type Static, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'

import { MINUTE } from '../../../lib/time-units.js'
import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { apiError } from '../../http/errors.js'
import {
  findPasskey,
  insertChallenge,
  listPasskeys,
  type Passkey,
  useChallenge,
  usePasskey,
} from './store.js'

/** How long a challenge may be signed, in milliseconds. */
const CHALLENGE_LIFE = 5 * MINUTE

/** The site that passkeys belong to (Web Authentication, 5.4.2). */
export interface RelyingParty {
  /** A domain. */
  id: string
  /** `https://switchyard.example` */
  origin: string
}

/**
 * The relying party of an instance. Undefined if browsers offer no passkeys there: they do so for names, not for IP
 * addresses, and over HTTPS, or on the machine itself.
 */
export function relyingPartyOf(externalUrl: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(externalUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0 || (protocol !== 'https:' && !isLocal)) return undefined
  return { id: hostname, origin }
}

/** What a signature is for, and the browser or the user that it is asked of. A challenge is valid for one purpose. */
export type Purpose =
  | `register session ${number}`
  | `confirm session ${number}`
  | `second step ${number}`
  | `sign in ${string}`

/** Options for a new passkey of the user. Throws 400 where browsers offer none. */
export async function registrationOptions(
  { database, externalUrl }: { database: Database; externalUrl: string },
  user: User,
  purpose: Purpose,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { id } = needRelyingParty(externalUrl)
  const options = await generateRegistrationOptions({
    rpName: 'Switchyard',
    rpID: id,
    userName: user.username,
    userDisplayName: user.name,
    userID: Uint8Array.from(Buffer.from(`user ${user.id}`)),
    excludeCredentials: (await listPasskeys(database, user.id)).map(descriptorOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  await keepChallenge(database, options, purpose)
  return options
}

/**
 * Options for a signature of one of the passkeys of a user, or of any passkey of the browser without a user: it then must
 * verify the person, by a PIN or a fingerprint. Throws 400 where browsers offer no passkeys.
 */
export async function signatureOptions(
  { database, externalUrl }: { database: Database; externalUrl: string },
  user: Pick<User, 'id'> | undefined,
  purpose: Purpose,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { id } = needRelyingParty(externalUrl)
  const options = await generateAuthenticationOptions({
    rpID: id,
    userVerification: user ? 'preferred' : 'required',
    ...(user && { allowCredentials: (await listPasskeys(database, user.id)).map(descriptorOf) }),
  })
  await keepChallenge(database, options, purpose)
  return options
}

async function keepChallenge(
  database: Database,
  { challenge }: { challenge: string },
  purpose: Purpose,
): Promise<void> {
  await insertChallenge(database, { challenge, purpose, expiresAt: Date.now() + CHALLENGE_LIFE })
}

function descriptorOf({ credential_id, transports }: Passkey) {
  return { id: credential_id, transports }
}

/** The row of a new passkey, without its user and name. */
export type NewPasskey = Pick<Passkey, 'credential_id' | 'public_key' | 'counter'> & { transports: string }

/** Reads what a browser returns for `registrationOptions`. Throws 403 for anything that does not belong to them. */
export async function readRegistration(
  { database, externalUrl }: { database: Database; externalUrl: string },
  text: string,
  purpose: Purpose,
): Promise<NewPasskey> {
  const { id, origin } = needRelyingParty(externalUrl)
  const response = parse(Registration, text)
  const expectedChallenge = await takeChallenge(database, response.response, purpose)
  const verified = await refusing(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: false,
    }),
  )
  if (!verified.verified) throw apiError('passkey_refused')
  const { credential } = verified.registrationInfo
  return {
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: JSON.stringify(response.response.transports ?? []),
  }
}

/**
 * The passkey that has signed. A signature is used once, and one whose counter is not above the last one comes from a
 * copy. With `isAlone` the passkey must have verified the person. Throws 403 for any other text.
 */
export async function readSignature(
  { database, externalUrl }: { database: Database; externalUrl: string },
  text: string,
  { purpose, isAlone = false }: { purpose: Purpose; isAlone?: boolean },
): Promise<Passkey> {
  const { id, origin } = needRelyingParty(externalUrl)
  const response = parse(Signature, text)
  const expectedChallenge = await takeChallenge(database, response.response, purpose)
  const passkey = await findPasskey(database, response.id)
  if (!passkey) throw apiError('passkey_refused')
  const { verified, authenticationInfo } = await refusing(() =>
    verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: isAlone,
      credential: {
        id: passkey.credential_id,
        publicKey: Uint8Array.from(Buffer.from(passkey.public_key, 'base64url')),
        counter: passkey.counter,
      },
    }),
  )
  if (!verified || !(await usePasskey(database, passkey, authenticationInfo.newCounter))) {
    throw apiError('passkey_refused')
  }
  return passkey
}

/** Base64url. */
const Bytes = Type.String({ maxLength: 20_000, pattern: '^[A-Za-z0-9_-]*$' })

const Registration = Type.Object({
  id: Bytes,
  rawId: Bytes,
  type: Type.Literal('public-key'),
  response: Type.Object({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 })),
  }),
  clientExtensionResults: Type.Object({}),
})

const Signature = Type.Object({
  id: Bytes,
  rawId: Bytes,
  type: Type.Literal('public-key'),
  response: Type.Object({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: Type.Optional(Type.Union([Bytes, Type.Null()])),
  }),
  clientExtensionResults: Type.Object({}),
})

const ClientData = Type.Object({ challenge: Bytes })

/** The challenge that the browser names, which no other request can use any more. */
async function takeChallenge(
  database: Database,
  { clientDataJSON }: { clientDataJSON: string },
  purpose: Purpose,
): Promise<string> {
  const { challenge } = parse(ClientData, Buffer.from(clientDataJSON, 'base64url').toString())
  if (!(await useChallenge(database, challenge, purpose))) throw apiError('passkey_refused')
  return challenge
}

function parse<Schema extends TSchema>(schema: Schema, text: string): Static<Schema> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw apiError('passkey_refused', {}, { cause: error })
  }
  if (!Check(schema, value)) throw apiError('passkey_refused')
  return value
}

/** The library throws for everything that a browser may send wrongly. */
async function refusing<Result>(verify: () => Promise<Result>): Promise<Result> {
  try {
    return await verify()
  } catch (error) {
    throw apiError('passkey_refused', {}, { cause: error })
  }
}

function needRelyingParty(externalUrl: string): RelyingParty {
  const party = relyingPartyOf(externalUrl)
  if (!party) throw apiError('passkeys_unavailable')
  return party
}
