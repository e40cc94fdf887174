import { Command } from 'commander'

import { EXIT_CODES } from '../../../error-catalogue/exit-codes.js'
import { createLogger } from '../../../lib/logger.js'
import { shortToken } from '../../../runner/client/runner-info.js'
import { loadSettings } from '../../../runner/config/load-settings.js'
import type { RunnerRegistration, RunnerSettings } from '../../../runner/config/settings.js'
import type { EngineSettings } from '../../../runner/executor/docker/settings.js'
import { canRunJobs, checkCluster } from '../../../runner/executor/kubernetes/check-cluster.js'
import { executorSettings, kubernetesSettings } from '../../../runner/registrations/executor-factories.js'
import { action } from './action.js'
import { checkText, type RegistrationReport } from './check-text.js'
import { type Choice, chooseSome, isSameRunner, readRegistrations } from './chosen-registrations.js'
import { jsonOption, printJson } from './control-options.js'
import { choosing, configOption } from './options.js'

interface CheckOptions extends Choice {
  config: string
  json?: boolean
}

export function checkCommand(): Command {
  return new Command('check')
    .description(
      'ask the engines and clusters of the registered runners what they can do, and what settings cost there',
    )
    .addOption(configOption())
    .addOption(choosing.name())
    .addOption(choosing.url())
    .addOption(choosing.token())
    .addOption(jsonOption())
    .action(action(check))
}

/**
 * Prints what each engine can do, and which rights the runner has in a cluster. The exit code is 1 if one does not respond, if
 * a setting cannot do there what it is for, or if a right is missing that every job needs.
 */
async function check(options: CheckOptions): Promise<void> {
  const chosen = chooseSome(options.config, await readRegistrations(options.config), options)
  const { settings } = await loadSettings(options.config)
  const registrations = settings.runners.filter((each) => chosen.some((entry) => isSameRunner(entry, each)))
  const reports: RegistrationReport[] = []
  for (const registration of registrations) reports.push(...(await checkRegistration(registration, settings)))
  if (options.json)
    printJson(reports.map(({ report, cluster, ...runner }) => ({ ...runner, ...report, ...cluster })))
  else process.stdout.write(reports.map(checkText).join('\n'))
  if (reports.some(hasFailed)) process.exitCode = EXIT_CODES.failed.code
}

/** A report for each host of the registration. */
async function checkRegistration(
  registration: RunnerRegistration,
  settings: RunnerSettings,
): Promise<RegistrationReport[]> {
  const runner = { name: registration.name, shortToken: shortToken(registration.token) }
  if (registration.executor === 'kubernetes') {
    const cluster = await checkCluster(
      kubernetesSettings(registration, settings),
      createLogger('runner', 'silent'),
    )
    return [{ ...runner, report: undefined, cluster }]
  }
  const { checkEngine } = await import('../../../runner/executor/docker/capabilities/check-engine.js')
  const check = (engine?: EngineSettings) =>
    checkEngine(executorSettings(registration, settings, engine), {
      blocksMetadata: settings.blockMetadataAddresses,
      logger: createLogger('runner', 'silent'),
    })
  if (registration.autoscaler) return [{ ...runner, report: undefined }]
  const { dockerHosts } = registration
  if (!dockerHosts) return [{ ...runner, report: await check() }]
  return await Promise.all(
    dockerHosts.map(async ({ name, engine }) => ({ ...runner, host: name, report: await check(engine) })),
  )
}

function hasFailed({ report, cluster }: RegistrationReport): boolean {
  if (cluster) return !canRunJobs(cluster)
  if (!report) return false
  return report.problem !== undefined || report.settings.some(({ level }) => level === 'error')
}
