import { isCron, isTimeZone } from '../../cron/cron.js'
import { MINUTE, SECOND } from '../../lib/time-units.js'
import {
  type AutoscalerPolicy,
  type AutoscalerSettings,
  COMMAND_ACTIONS,
  type CommandAction,
  type CommandLine,
  type PluginSettings,
} from '../executor/docker/autoscaler/model/settings.js'
import type { ExecutorName } from './executor-names.js'
import type { TableReader } from './table-reader.js'
import * as unsupported from './unsupported-keys.js'

const PLUGINS = ['command', 'docker'] as const
const MAX_CAPACITY = 1000
const MAX_IDLE = 10_000

/** The defaults of `[runners.autoscaler]`. Times are in milliseconds. */
const AUTOSCALER_DEFAULTS = {
  capacityPerInstance: 1,
  maxCreatePerMinute: 30,
  instanceReadyTimeout: 10 * MINUTE,
  failureThreshold: 3,
  updateInterval: MINUTE,
  updateIntervalWhenExpecting: 2 * SECOND,
  idleTime: 5 * MINUTE,
  timeouts: { create: 5 * MINUTE, delete: 2 * MINUTE, list: 30 * SECOND, connect: 30 * SECOND },
} as const

/** Reads `[runners.autoscaler]`, which only the executor `docker-autoscaler` has. Problems are recorded. */
export function readAutoscaler(entry: TableReader, executor: ExecutorName): AutoscalerSettings | undefined {
  if (executor !== 'docker-autoscaler') {
    if (!entry.subTable('autoscaler').isEmpty)
      entry.warning('autoscaler', `has no effect with the executor "${executor}"`)
    return undefined
  }
  if (!entry.has('autoscaler')) {
    entry.problem('autoscaler', 'is missing: the executor "docker-autoscaler" needs this table')
  }
  const reader = entry.subTable('autoscaler')
  const settings: AutoscalerSettings = {
    plugin: readPlugin(reader),
    pool: reader.parsed('pool', 'lower-case letters, digits and dashes, 1 to 40 of them', (text) =>
      /^[a-z][a-z0-9-]{0,38}[a-z0-9]$/.test(text) ? text : undefined,
    ),
    capacityPerInstance:
      atMost(reader, 'capacity_per_instance', 1, MAX_CAPACITY) ?? AUTOSCALER_DEFAULTS.capacityPerInstance,
    maxUseCount: reader.integer('max_use_count', 0) || Infinity,
    maxInstances: reader.integer('max_instances', 0) || Infinity,
    maxCreatePerMinute: withoutLimit(
      reader.integer('max_create_per_minute', 0) ?? AUTOSCALER_DEFAULTS.maxCreatePerMinute,
    ),
    instanceReadyCommand: reader.string('instance_ready_command') || undefined,
    instanceReadyTimeout:
      milliseconds(reader, 'instance_ready_timeout') || AUTOSCALER_DEFAULTS.instanceReadyTimeout,
    failureThreshold: reader.integer('failure_threshold', 0) || AUTOSCALER_DEFAULTS.failureThreshold,
    updateInterval: milliseconds(reader, 'update_interval') || AUTOSCALER_DEFAULTS.updateInterval,
    updateIntervalWhenExpecting:
      milliseconds(reader, 'update_interval_when_expecting') ||
      AUTOSCALER_DEFAULTS.updateIntervalWhenExpecting,
    deleteInstancesOnShutdown: reader.boolean('delete_instances_on_shutdown') ?? false,
    policies: reader.subTables('policy').map(readPolicy),
  }
  warnOfUnreachableIdleCount(reader, settings)
  reader.ignore(unsupported.AUTOSCALER)
  reader.reportUnknown()
  return settings
}

function readPlugin(reader: TableReader): PluginSettings {
  const plugin = reader.choice('plugin', PLUGINS)
  if (!reader.has('plugin')) reader.problem('plugin', `is missing: it must be one of ${PLUGINS.join(', ')}`)
  const config = reader.subTable('plugin_config')
  const settings =
    plugin === 'docker' ? readDockerPlugin(config) : readCommandPlugin(config, plugin !== undefined)
  if (plugin !== undefined) config.reportUnknown()
  return settings
}

function readDockerPlugin(config: TableReader): PluginSettings {
  return { kind: 'docker', images: config.strings('images') ?? [] }
}

/** @param isRequired whether missing commands are a problem */
function readCommandPlugin(config: TableReader, isRequired: boolean): PluginSettings {
  const each = <Value>(read: (action: CommandAction) => Value) =>
    Object.fromEntries(COMMAND_ACTIONS.map((action) => [action, read(action)])) as Record<
      CommandAction,
      Value
    >
  return {
    kind: 'command',
    commands: each((action) => readCommand(config, action, isRequired)),
    timeouts: each(
      (action) => milliseconds(config, `${action}_timeout`) || AUTOSCALER_DEFAULTS.timeouts[action],
    ),
    environment: config.stringMap('environment') ?? {},
  }
}

function readCommand(config: TableReader, action: CommandAction, isRequired: boolean): CommandLine {
  const [program = '', ...args] = config.strings(action) ?? []
  if (isRequired && !config.has(action))
    config.problem(
      action,
      `is missing: it must be a list such as ["/etc/switchyard-runner/machines", "${action}"]`,
    )
  else if (isRequired && program === '') config.problem(action, 'must begin with the path of a program')
  return [program, ...args]
}

function readPolicy(reader: TableReader): AutoscalerPolicy {
  const idleCount = atMost(reader, 'idle_count', 0, MAX_IDLE) ?? 0
  const policy = {
    periods: reader.parsedList(
      'periods',
      'cron expressions of five fields such as "* 7-18 * * mon-fri"',
      (text) => (isCron(text) ? text : undefined),
    ) ?? ['* * * * *'],
    timezone:
      reader.parsed('timezone', 'the name of a time zone such as Europe/Berlin', (text) =>
        isTimeZone(text) ? text : undefined,
      ) ?? new Intl.DateTimeFormat().resolvedOptions().timeZone,
    idleCount,
    idleTime: milliseconds(reader, 'idle_time') ?? AUTOSCALER_DEFAULTS.idleTime,
    scaleFactor: reader.number('scale_factor', 0) ?? 0,
    scaleFactorLimit: atMost(reader, 'scale_factor_limit', 0, MAX_IDLE) ?? 0,
    preemptiveMode: reader.boolean('preemptive_mode') ?? idleCount > 0,
  }
  reader.reportUnknown()
  return policy
}

function warnOfUnreachableIdleCount(
  reader: TableReader,
  { policies, maxInstances, capacityPerInstance }: AutoscalerSettings,
): void {
  const most = maxInstances * capacityPerInstance
  const excess = policies.find(({ idleCount }) => idleCount > most)
  if (excess)
    reader.warning('policy', `has idle_count ${excess.idleCount}, but max_instances allows only ${most} jobs`)
}

function atMost(reader: TableReader, key: string, minimum: number, maximum: number): number | undefined {
  const value = reader.integer(key, minimum)
  if (value !== undefined && value > maximum) reader.problem(key, `must be at most ${maximum}`)
  return value
}

function milliseconds(reader: TableReader, key: string): number | undefined {
  const seconds = reader.duration(key)
  return seconds === undefined ? undefined : seconds * SECOND
}

function withoutLimit(value: number): number {
  return value === 0 ? Infinity : value
}
