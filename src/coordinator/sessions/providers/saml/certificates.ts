import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'

import { messageOf } from '../../../../lib/errors.js'

/** Shortest RSA key, in bits (NIST SP 800-131A). */
const LEAST_BITS = 2048

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** The certificates of a text, in PEM or one in base64, each in PEM. Throws for any that verifies no signatures. */
export function readCertificates(text: string): string[] {
  return [...new Set((text.match(PEM) ?? [text]).map(normalCertificate))]
}

/** Throws for a text that is no certificate, and for a key that is too short or not RSA. */
export function normalCertificate(text: string): string {
  const body = text.replaceAll(/-----(BEGIN|END) CERTIFICATE-----|\s/g, '')
  const certificate = parseCertificate(body)
  checkKey(certificate.publicKey)
  return certificate.toString()
}

function parseCertificate(body: string): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(body, 'base64'))
  } catch (error) {
    throw new Error(`not a certificate in PEM or base64: ${messageOf(error)}`, { cause: error })
  }
}

/** Throws unless the text is an RSA key, in PEM, that belongs to the certificate. */
export function checkKeyPair(key: string, certificate: string): void {
  let privateKey: KeyObject
  try {
    privateKey = createPrivateKey(key)
  } catch (error) {
    throw new Error(`not a private key in PEM without a password: ${messageOf(error)}`, { cause: error })
  }
  checkKey(privateKey)
  if (!new X509Certificate(certificate).checkPrivateKey(privateKey)) {
    throw new Error('not the key of the certificate')
  }
}

function checkKey({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): void {
  const bits = asymmetricKeyDetails?.modulusLength ?? 0
  if (asymmetricKeyType !== 'rsa' || bits < LEAST_BITS) {
    throw new Error(`not an RSA key of ${LEAST_BITS} bits or more`)
  }
}
