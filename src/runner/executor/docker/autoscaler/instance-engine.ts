import type { EngineSettings } from '../settings.js'
import type { Connection } from './instance.js'

export function engineOf({ host, tls_cert_path, tls_verify }: Connection): EngineSettings {
  return { host, tlsCertPath: tls_cert_path, tlsVerify: tls_verify }
}
