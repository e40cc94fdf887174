import { constants, createDecipheriv, privateDecrypt } from 'node:crypto'

import {
  everyElement,
  isElement,
  neededAttribute,
  neededChild,
  readXml,
  type XmlElement,
} from './xml-elements.js'

/** Ciphers by the algorithm (XML Encryption 1.1, section 5.2), with the bytes of their initialization vectors. */
const CIPHERS: ReadonlyMap<string, { cipher: string; vector: number }> = new Map([
  ['http://www.w3.org/2009/xmlenc11#aes256-gcm', { cipher: 'aes-256-gcm', vector: 12 }],
  ['http://www.w3.org/2009/xmlenc11#aes128-gcm', { cipher: 'aes-128-gcm', vector: 12 }],
  ['http://www.w3.org/2001/04/xmlenc#aes256-cbc', { cipher: 'aes-256-cbc', vector: 16 }],
  ['http://www.w3.org/2001/04/xmlenc#aes128-cbc', { cipher: 'aes-128-cbc', vector: 16 }],
])
const KEY_TRANSPORT = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p'
const TAG_BYTES = 16

/** The algorithms with which a provider may encrypt, the best first. */
export const ENCRYPTIONS: readonly string[] = [...CIPHERS.keys(), KEY_TRANSPORT]

/**
 * The assertion in an `EncryptedAssertion`, so that its form is checked like that of any other. Throws if it cannot be
 * decrypted with the key, in PEM.
 */
export function decryptAssertion(encrypted: XmlElement, key: string): XmlElement {
  const data = neededChild(encrypted, 'encryption', 'EncryptedData')
  const methods = [...everyElement(data)].filter((element) =>
    isElement(element, 'encryption', 'EncryptedKey'),
  )
  const [encryptedKey, second] = methods
  if (!encryptedKey || second) throw new Error('EncryptedData needs one EncryptedKey')
  const transport = neededAttribute(neededChild(encryptedKey, 'encryption', 'EncryptionMethod'), 'Algorithm')
  if (transport !== KEY_TRANSPORT) throw new Error(`The algorithm ${transport} is not allowed`)
  const padding = constants.RSA_PKCS1_OAEP_PADDING
  const secret = privateDecrypt({ key, padding, oaepHash: 'sha1' }, bytesIn(encryptedKey))
  const algorithm = neededAttribute(neededChild(data, 'encryption', 'EncryptionMethod'), 'Algorithm')
  return readXml(decrypt(algorithm, secret, bytesIn(data)).toString())
}

function bytesIn(element: XmlElement): Buffer {
  const data = neededChild(element, 'encryption', 'CipherData')
  return Buffer.from(neededChild(data, 'encryption', 'CipherValue').text, 'base64')
}

function decrypt(algorithm: string, secret: Buffer, bytes: Buffer): Buffer {
  const found = CIPHERS.get(algorithm)
  if (!found) throw new Error(`The algorithm ${algorithm} is not allowed`)
  const vector = bytes.subarray(0, found.vector)
  if (found.cipher.endsWith('gcm')) {
    const decipher = createDecipheriv(found.cipher as 'aes-256-gcm', secret, vector, {
      authTagLength: TAG_BYTES,
    })
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(found.vector, -TAG_BYTES)), decipher.final()])
  }
  const decipher = createDecipheriv(found.cipher, secret, vector).setAutoPadding(false)
  const padded = Buffer.concat([decipher.update(bytes.subarray(found.vector)), decipher.final()])
  // The last byte says how many there are; the others may have any value.
  return padded.subarray(0, padded.length - (padded.at(-1) ?? 0))
}
