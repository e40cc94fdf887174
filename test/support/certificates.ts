import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
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

/** A certificate that has signed itself for the host, as the reference runner makes it for its session server. */
export async function selfSignedCertificate(host: string): Promise<{ cert: string; key: string }> {
  const folder = await tempDir()
  const name = `subjectAltName=${isIP(host) === 0 ? 'DNS' : 'IP'}:${host}`
  const extensions = [name, 'basicConstraints=critical,CA:FALSE', 'keyUsage=digitalSignature,keyEncipherment']
  const files = ['-keyout', 'key.pem', '-out', 'cert.pem', '-subj', '/O=Runner']
  const options = ['-days', '30', ...extensions.flatMap((extension) => ['-addext', extension])]
  await run('openssl', ['req', '-x509', ...NEW_KEY, ...files, ...options], { cwd: folder })
  const [cert, key] = await Promise.all(
    ['cert.pem', 'key.pem'].map((file) => readFile(join(folder, file), 'utf8')),
  )
  return { cert: cert ?? '', key: key ?? '' }
}

/** Replaces `cert.pem` and `key.pem` of the folder. With `days` of -1, the certificate has expired. */
export async function signCertificate(folder: string, address: string, days = 30): Promise<void> {
  const openssl = (...args: string[]) => run('openssl', args, { cwd: folder })
  await openssl('req', ...NEW_KEY, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=engine')
  await writeFile(join(folder, 'names'), `subjectAltName=IP:${address}`)
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca-key.pem', '-CAcreateserial', '-extfile', 'names']
  await openssl('x509', '-req', '-in', 'request.pem', '-out', 'cert.pem', '-days', String(days), ...signed)
}
