import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

import { ZipArchive } from 'archiver'

import { messageOf, messageWithCauses } from '../../lib/errors.js'
import { redactText } from '../../lib/redact-text.js'
import { readWarnings } from '../../lib/warnings-file.js'
import type { ListenAddress } from '../start/config/readers.js'
import type { CoordinatorSecrets, CoordinatorSettings } from '../start/config/settings.js'
import { warningsPath } from '../start/warnings.js'
import { knownSecrets } from './known-secrets.js'
import { shownSettings } from './shown-settings.js'
import { readDatabaseVersion, readVersions } from './versions.js'

const CENSOR = '[redacted]'
/** Milliseconds until the metrics of a coordinator must have arrived. */
const METRICS_TIMEOUT = 10_000

interface BundleRequest {
  settings: CoordinatorSettings
  secrets: CoordinatorSecrets
  environment: Record<string, string | undefined>
  /** Path of the zip, which must not exist. */
  target: string
}

/**
 * Writes a zip with what helps to find the cause of a problem: versions, settings, metrics and the last warnings. A part
 * that cannot be read has the reason instead, such as the metrics of a coordinator that does not run. Returns these
 * reasons.
 */
export async function writeSupportBundle({
  settings,
  secrets,
  environment,
  target,
}: BundleRequest): Promise<string[]> {
  const forms = await knownSecrets(settings, secrets, environment)
  const parts: Record<string, () => Promise<string>> = {
    'versions.json': async () => asJson(await readVersions()),
    'database.json': async () => asJson(await readDatabaseVersion(settings.database)),
    'settings.json': () => Promise.resolve(asJson(shownSettings(settings))),
    'metrics.txt': () => readMetrics(settings.listen),
    'warnings.log': () => readWarnings(warningsPath(settings.dataDir)),
  }
  // The speed of this zip matters to nobody.
  const zip = new ZipArchive({ zlib: { level: 9 } })
  const written = pipeline(zip, createWriteStream(target, { flags: 'wx', mode: 0o600 }))
  const problems: string[] = []
  for (const [name, read] of Object.entries(parts)) {
    const text = await read().catch((error: unknown) => {
      const reason = error instanceof Error ? messageWithCauses(error) : messageOf(error)
      problems.push(`${name}: ${reason}`)
      return `This could not be read: ${reason}\n`
    })
    zip.append(censored(text, forms), { name, mode: 0o600 })
  }
  await Promise.all([zip.finalize(), written])
  return problems.map((problem) => censored(problem, forms))
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function censored(text: string, forms: readonly string[]): string {
  return forms.reduce((rest, form) => rest.replaceAll(form, CENSOR), redactText(text))
}

async function readMetrics({ host, port }: ListenAddress): Promise<string> {
  const response = await fetch(`http://${reachable(host)}:${port}/metrics`, {
    signal: AbortSignal.timeout(METRICS_TIMEOUT),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`the coordinator returns ${response.status}: ${text.trim()}`)
  return text
}

/** The address at which this machine reaches a server that listens on all of its addresses. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}
