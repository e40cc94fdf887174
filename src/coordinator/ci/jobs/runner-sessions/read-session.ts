import { X509Certificate } from 'node:crypto'

import { isRecord } from '../../../../lib/is-record.js'

/** The session server of a runner, for one job (runner protocol, 2.1). */
export interface RunnerSession {
  /** HTTPS, without user name, query and fragment. */
  url: string
  /** PEM; empty = the authorities of the system. */
  certificate: string
  /** The value of the header `Authorization`. */
  authorization: string
}

const MAX_URL_LENGTH = 2048
const MAX_CERTIFICATE_LENGTH = 16 * 1024
/** Printable ASCII, which a header can have. */
const AUTHORIZATION = /^[\x20-\x7e]{1,255}$/

/** Reads `session` of a job request, in which a runner can send anything. `problem`: why it is not used. */
export function readSession(sent: unknown): RunnerSession | { problem: string } {
  if (!isRecord(sent)) return { problem: 'it is no object' }
  const { url, certificate = '', authorization } = sent
  if (typeof url !== 'string' || url.length > MAX_URL_LENGTH || !URL.canParse(url))
    return { problem: 'its URL is missing, too long or invalid' }
  if (!isSessionUrl(new URL(url)))
    return { problem: 'its URL is not HTTPS, or has a user name, a query or a fragment' }
  if (typeof authorization !== 'string' || !AUTHORIZATION.test(authorization))
    return { problem: 'its authorization is missing, too long or no text for a header' }
  if (typeof certificate !== 'string' || certificate.length > MAX_CERTIFICATE_LENGTH)
    return { problem: 'its certificate is too long or no text' }
  if (certificate !== '' && !isPemCertificate(certificate))
    return { problem: 'its certificate is no PEM certificate' }
  return { url, certificate, authorization }
}

function isSessionUrl({ protocol, username, password, search, hash }: URL): boolean {
  return protocol === 'https:' && [username, password, search, hash].every((part) => part === '')
}

function isPemCertificate(text: string): boolean {
  if (!text.includes('-----BEGIN CERTIFICATE-----')) return false
  try {
    return new X509Certificate(text).serialNumber !== ''
  } catch {
    // A runner can send anything.
    return false
  }
}
