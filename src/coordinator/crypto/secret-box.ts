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

/** `<id of the key>:<base64>`. What was sealed before keys had ids is base64 alone. */
const SEALED = /^(?:([0-9a-f]{8}):)?([A-Za-z0-9+/=]*)$/

/**
 * Encrypts what must be readable again, such as CI variables; what must only be recognised is kept as a digest. Each text
 * names the key that opens it, so that the key can be replaced while the coordinator runs.
 */
export class SecretBox {
  private keys: readonly SecretKey[]

  /** The first key seals. `reread` reads the keys again, which another process may have added to. */
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

  /** Periodic task: uses the keys that the file holds now. */
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

  /** Throws when the text was changed, and `SecretKeyError` when the key that sealed it is not there. */
  decrypt(encrypted: string): string {
    const { key, bytes } = this.open(encrypted)
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
    return text.toString('utf8')
  }

  /** `body` encrypted as it passes; `seal` is what opens it, and is there once `body` has been read to its end. */
  sealing(plain: Readable): { body: Readable; seal: () => string } {
    const nonce = randomBytes(NONCE_BYTES)
    const { prefix } = this
    const cipher = createCipheriv(ALGORITHM, this.current.key, nonce)
    return {
      body: pipeline(plain, cipher, passedOn),
      seal: () => prefix + Buffer.concat([nonce, cipher.getAuthTag()]).toString('base64'),
    }
  }

  /** What was sealed, as it was; fails at its end when the bytes were changed or belong to another seal. */
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
    throw new SecretKeyError(
      `A secret cannot be read: secret.key does not hold the key ${name} that sealed it`,
    )
  }
}

/** What fails before the last stream of a pipeline, the last one fails with too: whoever reads it is told. */
function passedOn(): void {}

/** Opens the box whose keys are in `<dataDir>/secret.key` (mode 0600), which the first start makes. */
export async function openSecretBox(dataDir: string): Promise<SecretBox> {
  const file = secretKeyFile(dataDir)
  await ensureSecretKeyFile(file)
  return new SecretBox(readSecretKeys(file), () => readSecretKeys(file))
}
