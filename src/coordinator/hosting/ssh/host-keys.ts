import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import ssh2 from 'ssh2'

import { createFile, isMissingFile } from '../../../lib/files.js'

/** Two kinds, because old clients know no ed25519. RSA is left out: it would also be offered with SHA-1. */
const KINDS = [
  { file: 'ssh_host_ed25519_key', make: () => ssh2.utils.generateKeyPairSync('ed25519') },
  { file: 'ssh_host_ecdsa_key', make: () => ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 }) },
]

/**
 * The private keys by which clients recognize the server, made at the first start (mode 0600). If several
 * coordinators start on one data folder, one makes a key and all use it.
 */
export function hostKeys(dataDir: string): Promise<string[]> {
  return Promise.all(KINDS.map(({ file, make }) => keyIn(join(dataDir, file), make)))
}

async function keyIn(path: string, make: () => { private: string }): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (!isMissingFile(error)) throw error
  }
  const made = usableKey(make)
  return (await createFile(path, made)) ? made : readFile(path, 'utf8')
}

/** Some of the keys that the library makes cannot be read, also not by itself: about seven in a thousand. */
function usableKey(make: () => { private: string }): string {
  for (;;) {
    const made = make().private
    if (isUsable(made)) return made
  }
}

function isUsable(text: string): boolean {
  const key = ssh2.utils.parseKey(text)
  if (key instanceof Error) return false
  const data = Buffer.from('test')
  const signature = key.sign(data)
  return Buffer.isBuffer(signature) && key.verify(data, signature)
}
