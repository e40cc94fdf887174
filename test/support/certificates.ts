import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { tempDir } from './temp-dir.js'

const run = promisify(execFile)

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

/** `ca.pem`, and `cert.pem` with `key.pem` that it has signed for the address. Returns their folder. */
export async function makeCertificates(address = '127.0.0.1'): Promise<string> {
  const folder = await tempDir()
  const authority = ['-keyout', 'ca-key.pem', '-out', 'ca.pem', '-subj', '/CN=authority']
  await run('openssl', ['req', '-x509', ...NEW_KEY, ...authority], { cwd: folder })
  await signCertificate(folder, address)
  return folder
}

/** Replaces `cert.pem` and `key.pem` of the folder. With `days` of -1, the certificate has expired. */
export async function signCertificate(folder: string, address: string, days = 30): Promise<void> {
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })
  await openssl('req', ...NEW_KEY, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=engine')
  await writeFile(join(folder, 'names'), `subjectAltName=IP:${address}`)
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca-key.pem', '-CAcreateserial', '-extfile', 'names']
  await openssl('x509', '-req', '-in', 'request.pem', '-out', 'cert.pem', '-days', String(days), ...signed)
}
