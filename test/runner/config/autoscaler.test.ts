import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { parse } from 'smol-toml'
import { expect, test } from 'vitest'

import { SettingsError } from '../../../src/runner/client/errors.js'
import { readSettings } from '../../../src/runner/config/read-settings.js'

const EXAMPLES = 'config/autoscaler'

/** A registration with these lines in `[runners.autoscaler]` and below. */
function settingsOf(lines: string, { executor = 'docker-autoscaler', concurrent = 100 } = {}) {
  const text = `concurrent = ${concurrent}
    [[runners]]
    url = "https://ci.example.com"
    token = "token"
    executor = "${executor}"
    [runners.docker]
    image = "busybox"
    ${lines}`
  return readSettings(parse(text), 'config.toml', {})
}

function problemsOf(lines: string): readonly string[] {
  try {
    settingsOf(lines)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.problems
    throw error
  }
}

const DOCKER = '[runners.autoscaler]\nplugin = "docker"\n'
const COMMANDS = `[runners.autoscaler.plugin_config]
  create = ["/m", "create"]
  delete = ["/m", "delete"]
  list = ["/m", "list"]
  connect = ["/m", "connect"]
`

test('the shortest table has the documented defaults', () => {
  const { settings, warnings } = settingsOf(`[runners.autoscaler]\nplugin = "command"\n${COMMANDS}`)
  expect(warnings).toEqual([])
  expect(settings.runners[0]?.autoscaler).toMatchObject({
    plugin: { commands: { create: ['/m', 'create'] }, timeouts: { create: 300_000, list: 30_000 } },
    capacityPerInstance: 1,
    maxUseCount: Infinity,
    maxInstances: Infinity,
    maxCreatePerMinute: 30,
    instanceReadyTimeout: 600_000,
    policies: [],
  })
})

test('a policy has the defaults of the reference, whose preemptive mode depends on idle_count', () => {
  const policy = (lines: string) =>
    settingsOf(`${DOCKER}[[runners.autoscaler.policy]]\n${lines}`).settings.runners[0]?.autoscaler
      ?.policies[0]
  expect(policy('')).toMatchObject({ periods: ['* * * * *'], idleCount: 0, preemptiveMode: false })
  expect(policy('idle_count = 2\nidle_time = "20m0s"')).toMatchObject({
    idleCount: 2,
    idleTime: 1_200_000,
    preemptiveMode: true,
  })
  expect(policy('idle_count = 2\npreemptive_mode = false')).toMatchObject({ preemptiveMode: false })
})

test.each([
  ['', 'autoscaler is missing: the executor "docker-autoscaler" needs this table'],
  ['[runners.autoscaler]', 'autoscaler.plugin is missing'],
  ['[runners.autoscaler]\nplugin = "aws"', 'autoscaler.plugin must be one of command, docker'],
  ['[runners.autoscaler]\nplugin = "command"', 'plugin_config.create is missing: it must be a list such as'],
  [
    `[runners.autoscaler]\nplugin = "command"\n${COMMANDS.replace('["/m", "list"]', '[]')}`,
    'plugin_config.list must begin with the path of a program',
  ],
  [
    `[runners.autoscaler]\nplugin = "command"\n${COMMANDS.replace('["/m", "list"]', '"/m list"')}`,
    'plugin_config.list must be a list of strings',
  ],
  [`${DOCKER}capacity_per_instance = 0`, 'capacity_per_instance must be a whole number of at least 1'],
  [`${DOCKER}capacity_per_instance = 1001`, 'capacity_per_instance must be at most 1000'],
  [`${DOCKER}max_instances = -1`, 'max_instances must be a whole number of at least 0'],
  [`${DOCKER}pool = "My Pool"`, 'pool must be lower-case letters, digits and dashes'],
  [`${DOCKER}update_interval = 60`, 'update_interval must be a duration such as 15m'],
  [
    `${DOCKER}[[runners.autoscaler.policy]]\nperiods = ["* * 9-17 * * mon-fri *"]`,
    'policy[0].periods must hold cron expressions of five fields',
  ],
  [
    `${DOCKER}[[runners.autoscaler.policy]]\ntimezone = "Mars"`,
    'policy[0].timezone must be the name of a time zone',
  ],
  [
    `${DOCKER}[[runners.autoscaler.policy]]\nscale_factor = -1`,
    'policy[0].scale_factor must be a number of at least 0',
  ],
])('%s: %s', (lines, problem) => {
  expect(problemsOf(lines)).toContainEqual(expect.stringContaining(problem))
})

test.each([
  [`${DOCKER}colour = "red"`, {}, 'autoscaler.colour is not a known setting'],
  [`${DOCKER}instance_acquire_timeout = "10m"`, {}, 'autoscaler.instance_acquire_timeout has no effect'],
  [
    `${DOCKER}max_instances = 2\n[[runners.autoscaler.policy]]\nidle_count = 3`,
    {},
    'autoscaler.policy has idle_count 3, but max_instances allows only 2 jobs',
  ],
  [
    `${DOCKER}max_instances = 2`,
    { concurrent: 1 },
    'concurrent is 1, but the machines of the autoscaler may run 2 jobs at once',
  ],
  [DOCKER, { executor: 'docker' }, 'autoscaler has no effect with the executor "docker"'],
])('%s: %j: warns that %s', (lines, options, warning) => {
  expect(settingsOf(lines, options).warnings).toContainEqual(expect.stringContaining(warning))
})

test.each(readdirSync(EXAMPLES).filter((name) => name.endsWith('.toml')))(
  'the example %s needs no warning, and its commands are beside it',
  (name) => {
    const text = readFileSync(join(EXAMPLES, name), 'utf8')
    const { settings, warnings } = readSettings(parse(text), name, { RUNNER_TOKEN: 'token' })
    expect(warnings).toEqual([])
    const plugin = settings.runners[0]?.autoscaler?.plugin
    const programs =
      plugin?.kind === 'command' ? Object.values(plugin.commands).map(([program]) => program) : []
    const beside = programs.map((program) => program.replace('/etc/switchyard-runner/autoscaler/', ''))
    expect(readdirSync(EXAMPLES)).toEqual(expect.arrayContaining(beside))
  },
)
