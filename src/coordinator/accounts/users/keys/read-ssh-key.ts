import { createHash } from 'node:crypto'

import sshpk from 'sshpk'

export interface SshPublicKey {
  /** `type base64`, without a comment. */
  key: string
  /** MD5 as hex pairs with colons, as `ssh-keygen -E md5` prints it without its prefix. */
  fingerprint: string
  /** SHA-256 as base64 without padding and without the prefix `SHA256:`. */
  fingerprintSha256: string
}

/** Keys on a security token, which the library cannot parse; only their outer form is checked here. */
const ON_TOKEN = new Set(['sk-ssh-ed25519@openssh.com', 'sk-ecdsa-sha2-nistp256@openssh.com'])

/** Parses one OpenSSH line `type base64 [comment]`; undefined for other input, in particular private keys. */
export function readSshKey(text: string): SshPublicKey | undefined {
  const [type = '', encoded = ''] = text.trim().split(/[ \t]+/)
  if (/[\r\n]/.test(text.trim()) || !/^[A-Za-z0-9+/]+={0,3}$/.test(encoded)) return undefined
  const blob = Buffer.from(encoded, 'base64')
  if (!isKey(type, encoded, blob)) return undefined
  const md5 = createHash('md5').update(blob).digest('hex')
  return {
    key: `${type} ${blob.toString('base64')}`,
    fingerprint: (md5.match(/../g) ?? []).join(':'),
    fingerprintSha256: createHash('sha256').update(blob).digest('base64').replace(/=+$/, ''),
  }
}

/** The type occurs twice, before the base64 and inside it; both must be equal. */
function isKey(type: string, encoded: string, blob: Buffer): boolean {
  if (blob.length < 4 || blob.readUInt32BE(0) !== type.length) return false
  if (blob.subarray(4, 4 + type.length).toString('latin1') !== type) return false
  return ON_TOKEN.has(type) ? blob.length > 4 + type.length + 32 : isKnownKey(`${type} ${encoded}`)
}

function isKnownKey(line: string): boolean {
  try {
    sshpk.parseKey(line, 'ssh')
    return true
  } catch (error) {
    // The library throws plain errors for invalid keys.
    if (error instanceof Error) return false
    throw error
  }
}
