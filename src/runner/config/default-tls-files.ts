import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

import type { TlsFiles } from '../client/http-transport.js'

/**
 * The TLS files for a coordinator. Files that the settings do not name are looked up in `certs/` beside the
 * settings, by host name (runner protocol, 0): `<host>.crt`, and the pair `<host>.auth.crt` and `<host>.auth.key`.
 */
export function withDefaultTlsFiles(tls: TlsFiles, url: string, configFile: string): TlsFiles {
  const host = hostOf(url)
  if (host === '') return tls
  const there = (name: string) => existing(join(dirname(resolve(configFile)), 'certs', name))
  const [caFile, certFile, keyFile] = [
    tls.caFile || there(`${host}.crt`),
    tls.certFile || there(`${host}.auth.crt`),
    tls.keyFile || there(`${host}.auth.key`),
  ]
  return {
    ...tls,
    ...(caFile ? { caFile } : {}),
    ...(certFile && keyFile ? { certFile, keyFile } : {}),
  }
}

function existing(file: string): string | undefined {
  return existsSync(file) ? file : undefined
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : ''
}
