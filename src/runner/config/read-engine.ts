import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { isEngineAddress } from '../executor/docker/engine-address.js'
import type { EngineSettings } from '../executor/docker/settings.js'
import type { TableReader } from './table-reader.js'

/** Reads the address of an engine and the files for the connection. */
export function readEngine(reader: TableReader): EngineSettings {
  const tlsVerify = reader.boolean('tls_verify')
  const tlsCertPath = reader.string('tls_cert_path') || undefined
  const missing = ['ca.pem', 'cert.pem', 'key.pem'].filter(
    (name) => !existsSync(join(tlsCertPath ?? '', name)),
  )
  if (tlsVerify && tlsCertPath && missing.length > 0) {
    reader.problem('tls_cert_path', `is ${tlsCertPath}, which does not contain ${missing.join(' and ')}`)
  }
  const host = reader.parsed(
    'host',
    'an address such as unix:///run/docker.sock, tcp://10.0.0.7:2376 or ssh://user@machine',
    (text) => (isEngineAddress(text) ? text : undefined),
  )
  const sshKeyFile = reader.string('ssh_key_file') || undefined
  if (sshKeyFile !== undefined && !existsSync(sshKeyFile)) {
    reader.problem('ssh_key_file', `is ${sshKeyFile}, which does not exist`)
  }
  return { host, tlsCertPath, tlsVerify, sshKeyFile }
}
