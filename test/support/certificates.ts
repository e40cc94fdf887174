import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { tempDir } from './temp-dir.js'

const run = promisify(execFile)

/** `ca.pem`, and `cert.pem` with `key.pem` that it has signed for 127.0.0.1. Returns their folder. */
export async function makeCertificates(): Promise<string> {
  const folder = await tempDir()
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  await openssl('req', '-x509', ...key, '-keyout', 'ca-key.pem', '-out', 'ca.pem', '-subj', '/CN=authority')
  await openssl('req', ...key, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=engine')
  await writeFile(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1')
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca-key.pem', '-CAcreateserial', '-extfile', 'names']
  await openssl('x509', '-req', '-in', 'request.pem', '-out', 'cert.pem', ...signed)
  return folder
}
