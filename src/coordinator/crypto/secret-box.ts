import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { pipeline, type Readable } from 'node:stream'

import {
  ensureSecretKeyFile,
  readSecretKeys,
  type SecretKey,
  secretKey,
  SecretKeyError,
  secretKeyFile,
} from './secret-keys.js'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** `<id of the key>:<base64>`. Values that were encrypted before keys had ids are base64 only. */
const SEALED = /^(?:([0-9a-f]{8}):)?([A-Za-z0-9+/=]*)$/

/**
 * Encrypts values that must be readable again, such as CI variables; values that only need comparison are
 * stored as digests. Each encrypted text names its key, so the key can be replaced while the coordinator
 * runs.
 */
export class SecretBox {
  private keys: readonly SecretKey[]

  /** The first key encrypts. `reread` reads the keys again, because another process may have added one. */
  constructor(
    keys: Buffer | readonly SecretKey[],
    private readonly reread?: () => readonly SecretKey[],
  ) {
    this.keys = Buffer.isBuffer(keys) ? [secretKey(keys)] : keys
  }

  /** The beginning of all that the current key seals. */
  get prefix(): string {
    return `${this.current.id}:`
  }

  /** Periodic task: reloads the keys from the file. */
  reload(): void {
    if (this.reread) this.keys = this.reread()
  }

  /** The prefix, and base64 of nonce, tag and ciphertext. */
  encrypt(text: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, this.current.key, nonce)
    const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return this.prefix + Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64')
  }

  /** Throws if the text was modified, and `SecretKeyError` if its key is missing. */
  decrypt(encrypted: string): string {
    const { key, bytes } = this.open(encrypted)
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
    return text.toString('utf8')
  }

  /**
   * Encrypts `body` as a stream. `seal` returns the values needed to decrypt it, once `body` is read
   * completely.
   */
  sealing(plain: Readable): { body: Readable; seal: () => string } {
    const nonce = randomBytes(NONCE_BYTES)
    const { prefix } = this
    const cipher = createCipheriv(ALGORITHM, this.current.key, nonce)
    return {
      body: pipeline(plain, cipher, passedOn),
      seal: () => prefix + Buffer.concat([nonce, cipher.getAuthTag()]).toString('base64'),
    }
  }

  /** Decrypts a stream. Fails at its end if the bytes were modified or belong to another seal. */
  opened(sealed: Readable, seal: string): Readable {
    const { key, bytes } = this.open(seal)
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES))
    return pipeline(sealed, decipher.setAuthTag(bytes.subarray(NONCE_BYTES)), passedOn)
  }

  private open(sealed: string): { key: SecretKey['key']; bytes: Buffer } {
    const [, id, encoded = ''] = SEALED.exec(sealed) ?? []
    return { key: this.keyOf(id).key, bytes: Buffer.from(encoded, 'base64') }
  }

  private get current(): SecretKey {
    return this.known((keys) => keys[0], 'at all')
  }

  /** Without an id it is the oldest one, which was the only one at that time. */
  private keyOf(id: string | undefined): SecretKey {
    if (id === undefined) return this.known((keys) => keys.at(-1), 'at all')
    return this.known((keys) => keys.find((key) => key.id === id), id)
  }

  /** A key that is not known may have been added since the keys were read. */
  private known(find: (keys: readonly SecretKey[]) => SecretKey | undefined, name: string): SecretKey {
    const known = find(this.keys)
    if (known) return known
    this.reload()
    const added = find(this.keys)
    if (added) return added
    throw new SecretKeyError(`A secret cannot be decrypted: secret.key does not contain its key ${name}`)
  }
}

/** An error of an earlier stream in a pipeline is passed to the last one, whose reader handles it. */
function passedOn(): void {}

/** Opens the box with the keys in `<dataDir>/secret.key` (mode 0600), which the first start creates. */
export async function openSecretBox(dataDir: string): Promise<SecretBox> {
  const file = secretKeyFile(dataDir)
  await ensureSecretKeyFile(file)
  return new SecretBox(readSecretKeys(file), () => readSecretKeys(file))
}
