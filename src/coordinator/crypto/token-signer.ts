import {
  calculateJwkThumbprint,
  compactVerify,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose'

import type { Database } from '../database/connect.js'
import { findSetting, insertSetting } from '../database/stores/instance-setting-store.js'
import type { SecretBox } from './secret-box.js'

/** Key in `instance_setting`; the value is the private key as an encrypted JWK. */
export const SIGNING_KEY = 'id_token_signing_key'
const ALGORITHM = 'RS256'

export interface TokenSignerDeps {
  database: Database
  secrets: SecretBox
  /** The URL that clients use: `iss` of every token. */
  externalUrl: string
}

/** The public key with which other services verify a token. */
export interface PublicKey {
  kty: 'RSA'
  kid: string
  use: 'sig'
  alg: typeof ALGORITHM
  n: string
  e: string
}

/**
 * Signs the id tokens with which jobs authenticate to other services (CI language, 3.17). The key is created
 * at its first use and stored, so that all coordinators use the same one.
 */
export class TokenSigner {
  readonly issuer: string
  private key: Promise<JWK> | undefined

  constructor(private readonly deps: TokenSignerDeps) {
    this.issuer = deps.externalUrl
  }

  /** A compact JWT with the claims and this coordinator as its issuer. */
  async sign(claims: JWTPayload): Promise<string> {
    const key = await this.privateKey()
    return new SignJWT({ iss: this.issuer, ...claims })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: await calculateJwkThumbprint(key) })
      .sign(await importJWK(key, ALGORITHM))
  }

  /** The claims of a token that was signed here, whether or not it has expired; undefined for any other text. */
  async verify(token: string): Promise<JWTPayload | undefined> {
    const [key] = await this.publicKeys()
    if (!key) return undefined
    try {
      const { payload } = await compactVerify(token, await importJWK(key, ALGORITHM), {
        algorithms: [ALGORITHM],
      })
      return JSON.parse(new TextDecoder().decode(payload)) as JWTPayload
    } catch {
      return undefined
    }
  }

  async publicKeys(): Promise<PublicKey[]> {
    const key = await this.privateKey()
    const kid = await calculateJwkThumbprint(key)
    return [{ kty: 'RSA', kid, use: 'sig', alg: ALGORITHM, n: key.n ?? '', e: key.e ?? '' }]
  }

  private privateKey(): Promise<JWK> {
    this.key ??= this.loadKey().catch((error: unknown) => {
      this.key = undefined // the store may be back for the next one
      throw error
    })
    return this.key
  }

  private async loadKey(): Promise<JWK> {
    return (await this.storedKey()) ?? this.createKey()
  }

  /** If several coordinators create a key at the same time, one succeeds. */
  private async createKey(): Promise<JWK> {
    const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true })
    const value = this.deps.secrets.encrypt(JSON.stringify(await exportJWK(privateKey)))
    await insertSetting(this.deps.database, SIGNING_KEY, value)
    const stored = await this.storedKey()
    if (!stored) throw new Error(`The setting ${SIGNING_KEY} is missing right after it was written`)
    return stored
  }

  private async storedKey(): Promise<JWK | undefined> {
    const encrypted = await findSetting(this.deps.database, SIGNING_KEY)
    return encrypted === undefined ? undefined : (JSON.parse(this.deps.secrets.decrypt(encrypted)) as JWK)
  }
}
