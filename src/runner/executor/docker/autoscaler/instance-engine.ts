import type { EngineSettings } from '../settings.js'
import type { Connection } from './model/instance.js'

export function engineOf(connection: Connection): EngineSettings {
  const { host, tls_cert_path, tls_verify, ssh_key_file, separate_networks } = connection
  return {
    host,
    tlsCertPath: tls_cert_path,
    tlsVerify: tls_verify,
    sshKeyFile: ssh_key_file,
    hasSeparateNetworks: separate_networks,
  }
}
