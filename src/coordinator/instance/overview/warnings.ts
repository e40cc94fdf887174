import { isLoopbackHost } from '../../../lib/is-loopback-host.js'
import type { AdminOverview } from './schema.js'

export type Warning = AdminOverview['warnings'][number]

/** The facts that warnings come from. */
export interface WarningFacts {
  externalUrl: string
  /** Whether the configuration names the URL. */
  isUrlConfigured: boolean
  mails: { enabled: boolean }
  disk: { total: number; free: number }
  tasks: readonly { name: string; error: string | null }[]
  webhooks: { resting: number; disabled: number }
  /** Of the coordinators that run. */
  versions: readonly string[]
}

/** Share of the disk that should be free. */
const LEAST_FREE = 0.1

/** What an administrator should look at. */
export function warningsOf(facts: WarningFacts): Warning[] {
  return [
    ...urlWarnings(facts),
    ...(facts.mails.enabled
      ? []
      : [
          warning(
            'no_mail',
            'No mails are sent, so nobody can choose a password by mail or hear of failed pipelines: set mail.url.',
          ),
        ]),
    ...diskWarnings(facts),
    ...taskWarnings(facts),
    ...hookWarnings(facts),
    ...versionWarnings(facts),
  ]
}

function warning(code: Warning['code'], message: string): Warning {
  return { code, message }
}

function urlWarnings({ externalUrl, isUrlConfigured }: WarningFacts): Warning[] {
  const { protocol, hostname } = new URL(externalUrl)
  if (!isUrlConfigured) {
    const message = `Links and clone addresses begin with ${externalUrl}, because external_url is not set.`
    return [warning('external_url_missing', message)]
  }
  if (protocol === 'https:' || isLoopbackHost(hostname)) return []
  return [
    warning(
      'external_url_http',
      'external_url is http, so passwords and tokens pass unencrypted: put a proxy with TLS in front.',
    ),
  ]
}

function diskWarnings({ disk: { total, free } }: WarningFacts): Warning[] {
  if (free >= total * LEAST_FREE) return []
  const percent = Math.floor((100 * free) / total)
  return [warning('disk_nearly_full', `Only ${percent} % of the disk of the data folder is free.`)]
}

function taskWarnings({ tasks }: WarningFacts): Warning[] {
  const failed = tasks.filter(({ error }) => error !== null).map(({ name }) => name)
  if (failed.length === 0) return []
  return [warning('task_failed', `Periodic tasks have failed: ${failed.join(', ')}. The log says why.`)]
}

function hookWarnings({ webhooks: { resting, disabled } }: WarningFacts): Warning[] {
  if (resting + disabled === 0) return []
  return [
    warning(
      'hooks_disabled',
      `Webhooks that failed: ${resting} paused for a time, ${disabled} disabled until someone changes or tests them.`,
    ),
  ]
}

function versionWarnings({ versions }: WarningFacts): Warning[] {
  const different = [...new Set(versions)]
  if (different.length <= 1) return []
  return [warning('versions_differ', `Coordinators of different versions run: ${different.join(', ')}.`)]
}
