import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline, type Readable } from 'node:stream'

import { createFile, readIfThere } from '../lib/files.js'

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts what must be readable again, such as CI variables; what must only be recognised is kept as a digest. */
export class SecretBox {
  private readonly key: KeyObject

  constructor(key: Buffer) {
    this.key = createSecretKey(key)
  }

  /** Base64 of nonce, tag and ciphertext. */
  encrypt(text: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, this.key, nonce)
    const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64')
  }

  /** Throws when the text was changed or encrypted under another key. */
  decrypt(encrypted: string): string {
    const bytes = Buffer.from(encrypted, 'base64')
    const decipher = createDecipheriv(ALGORITHM, this.key, bytes.subarray(0, NONCE_BYTES))
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
    const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
    return text.toString('utf8')
  }

  /** `body` encrypted as it passes; `seal` is what opens it, and is there once `body` has been read to its end. */
  sealing(plain: Readable): { body: Readable; seal: () => string } {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, this.key, nonce)
    return {
      body: pipeline(plain, cipher, passedOn),
      seal: () => Buffer.concat([nonce, cipher.getAuthTag()]).toString('base64'),
    }
  }

  /** What was sealed, as it was; fails at its end when the bytes were changed or belong to another seal. */
  opened(sealed: Readable, seal: string): Readable {
    const bytes = Buffer.from(seal, 'base64')
    const decipher = createDecipheriv(ALGORITHM, this.key, bytes.subarray(0, NONCE_BYTES))
    return pipeline(sealed, decipher.setAuthTag(bytes.subarray(NONCE_BYTES)), passedOn)
  }
}

/** What fails before the last stream of a pipeline, the last one fails with too: whoever reads it is told. */
function passedOn(): void {}

/** Opens the box whose key lies in `<dataDir>/secret.key` (mode 0600), which is made at the first start. */
export async function openSecretBox(dataDir: string): Promise<SecretBox> {
  const path = join(dataDir, 'secret.key')
  if ((await readIfThere(path)) === undefined) {
    await createFile(path, randomBytes(KEY_BYTES).toString('base64') + '\n')
  }
  const key = Buffer.from(await readFile(path, 'utf8'), 'base64')
  if (key.length !== KEY_BYTES) {
    throw new Error(
      `${path} does not hold a key of ${KEY_BYTES} bytes in base64. Restore it from a backup; ` +
        'remove it only if this data folder was never used, because nothing encrypted can be read without it',
    )
  }
  return new SecretBox(key)
}
