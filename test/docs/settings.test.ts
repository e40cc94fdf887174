import { readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import {
  type CoordinatorSettings,
  readCoordinatorSecrets,
  readCoordinatorSettings,
} from '../../src/coordinator/start/config/settings.js'
import { readSettings } from '../../src/runner/config/read-settings.js'
import * as unsupported from '../../src/runner/config/unsupported-keys.js'
import { headingsOf } from './markdown.js'
import { textFiles } from './text-files.js'

const PAGE = 'docs/settings.md'
const text = readFileSync(PAGE, 'utf8')
const headings = headingsOf(text)

describe(`${PAGE}: coordinator`, () => {
  const rows = rowsOf('Coordinator')

  test('lists the variable of every setting that is read, and no other', () => {
    const read = new Set<string>()
    const environment = new Proxy({}, { get: (_, name) => void read.add(String(name)) })
    readCoordinatorSettings({}, environment)
    readCoordinatorSecrets(environment)
    const documented = rows.flatMap(([first = '', second = '']) =>
      [first, second].filter((cell) => /^(?:SWITCHYARD|OTEL|AWS)_/.test(cell)),
    )
    expect(documented.sort()).toEqual([...read].sort())
  })

  test('names each key like its variable', () => {
    const pairs = rows.filter(([, variable]) => variable?.startsWith('SWITCHYARD_'))
    expect(pairs.length).toBeGreaterThan(20)
    for (const [key = '', variable] of pairs) {
      expect(`SWITCHYARD_${key.replaceAll('.', '_').toUpperCase()}`).toBe(variable)
    }
  })

  test('gives the defaults that hold without a setting', () => {
    const defaults = rows.flatMap(([, variable = '', value]): [string, string][] =>
      variable.startsWith('SWITCHYARD_') && value ? [[variable, value]] : [],
    )
    expect(comparable(readCoordinatorSettings({}, Object.fromEntries<string>(defaults)))).toEqual(
      comparable(readCoordinatorSettings({}, {})),
    )
  })
})

describe(`${PAGE}: runner`, () => {
  test.each([
    ['Global keys', ''],
    ['[disk]', 'disk.'],
    ['[hold]', 'hold.'],
    ['[terminal]', 'terminal.'],
    ['[[runners]]', 'runners.'],
    ['[runners.cache]', 'runners.cache.'],
    ['[[runners.docker_hosts]]', 'runners.docker_hosts.'],
    ['[runners.autoscaler]', 'runners.autoscaler.'],
    ['[[runners.autoscaler.policy]]', 'runners.autoscaler.policy.'],
    ['[runners.autoscaler.plugin_config]', 'runners.autoscaler.plugin_config.'],
    ['[runners.docker]', 'runners.docker.'],
  ])('%s lists every key that is read, and no other', (title, prefix) => {
    const documented = rowsOf(title)
      .map(([key]) => key)
      .filter((key) => key !== 'key')
    const read = runnerKeys()
      .filter((key) => tableOf(key) === prefix)
      .map((key) => key.slice(prefix.length))
    expect(documented.sort()).toEqual(read.sort())
  })

  test('has a page of its own for every key of [runners.kubernetes]', () => {
    const page = readFileSync('docs/kubernetes.md', 'utf8')
    // The page has the beginnings and the ends of the keys for requests and limits once.
    const plain = (key: string) =>
      key.replace(/^(?:helper|service)_(?=cpu|memory|ephemeral)/, '').replace(/_overwrite_max_allowed$/, '')
    const prefix = 'runners.kubernetes.'
    const read = runnerKeys().flatMap((key) =>
      key.startsWith(prefix) ? [plain(key.slice(prefix.length))] : [],
    )
    const keys = [...read, ...unsupported.KUBERNETES, ...unsupported.SERVICE]
    expect(keys.filter((key) => !page.includes(`\`${key}\``))).toEqual([])
  })

  test('names the keys without effect', () => {
    const { GLOBAL, ENTRY, CACHE_S3, DOCKER, AUTOSCALER } = unsupported
    const keys = [...GLOBAL, ...ENTRY, ...CACHE_S3.map((key) => `s3.${key}`), ...DOCKER, ...AUTOSCALER]
    const cells = headings.find((heading) => heading.text === 'Keys without effect')?.body ?? ''
    expect(keys.filter((key) => !cells.includes(`\`${key}\``))).toEqual([])
  })
})

describe(PAGE, () => {
  test('names every variable of Switchyard in the source', () => {
    const inner = new Set(['SWITCHYARD_FORWARD_ONLY', 'SWITCHYARD_CHECKS_COMMITS']) // From a coordinator to its own git hook.
    const named = textFiles('src', '.ts').flatMap(
      ({ text }) => text.match(/\bSWITCHYARD_[A-Z_]*[A-Z]\b/g) ?? [],
    )
    expect([...new Set(named)].filter((name) => !inner.has(name) && !text.includes(`\`${name}\``))).toEqual(
      [],
    )
  })
})

/** Cells of the tables below a heading, without the marks of code. Empty cells are empty strings. */
function rowsOf(title: string): string[][] {
  const heading = headings.find((each) => each.text.replaceAll('`', '') === title)
  if (!heading) throw new Error(`${PAGE} has no heading ${title}`)
  return heading.body
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1)
        .split('|')
        .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')),
    )
}

/** A list that is read from a text compares with what it is by default; only where it comes from differs. */
function comparable(settings: CoordinatorSettings): unknown {
  return { ...settings, metricsAddresses: [...settings.metricsAddresses], fixed: {} }
}

const TABLES = [
  'disk.',
  'hold.',
  'terminal.',
  'runners.cache.',
  'runners.docker.',
  'runners.docker_hosts.',
  'runners.autoscaler.policy.',
  'runners.autoscaler.plugin_config.',
  'runners.autoscaler.',
  'runners.kubernetes.',
  'runners.',
]

/** Values on which it depends which other keys are read. */
const VARIANTS = [
  {},
  { type: 's3' },
  { executor: 'docker-hosts' },
  { executor: 'docker-autoscaler', plugin: 'command' },
  { executor: 'docker-autoscaler', plugin: 'docker' },
  { executor: 'kubernetes' },
]

function tableOf(key: string): string {
  return TABLES.find((table) => key.startsWith(table)) ?? ''
}

/** Names of all keys that the runner reads, found by reading a file that returns every table and no value. */
function runnerKeys(): string[] {
  const keys = new Set<string>()
  for (const { type = '', executor, plugin } of VARIANTS) {
    const cache = recorder(keys, 'runners.cache.', { Type: type, s3: recorder(keys, 'runners.cache.s3.') })
    const autoscaler = recorder(keys, 'runners.autoscaler.', {
      plugin,
      plugin_config: recorder(keys, 'runners.autoscaler.plugin_config.'),
      policy: [recorder(keys, 'runners.autoscaler.policy.')],
    })
    const entry = recorder(keys, 'runners.', {
      ...(executor === undefined ? {} : { executor }),
      ...(executor === 'docker-hosts'
        ? { docker_hosts: [recorder(keys, 'runners.docker_hosts.')] }
        : { autoscaler }),
      cache,
      docker: recorder(keys, 'runners.docker.'),
      kubernetes: recorder(keys, 'runners.kubernetes.'),
      artifact: recorder(keys, 'runners.artifact.'),
      custom_build_dir: recorder(keys, 'runners.custom_build_dir.'),
      feature_flags: recorder(keys, 'runners.feature_flags.'),
    })
    const tables = ['disk', 'hold', 'terminal'].map((name) => [name, recorder(keys, `${name}.`)] as const)
    const file = recorder(keys, '', { runners: [entry], ...Object.fromEntries(tables) })
    // Without an address the file is refused, at the end.
    expect(() => readSettings(file, 'config.toml', {})).toThrow('url is missing')
  }
  for (const key of withoutEffect()) keys.delete(key)
  return [...keys]
}

function withoutEffect(): string[] {
  return [
    ...unsupported.GLOBAL,
    ...unsupported.ENTRY.map((key) => `runners.${key}`),
    ...unsupported.CACHE_S3.map((key) => `runners.cache.s3.${key}`),
    ...unsupported.DOCKER.map((key) => `runners.docker.${key}`),
    ...unsupported.AUTOSCALER.map((key) => `runners.autoscaler.${key}`),
    ...unsupported.KUBERNETES.map((key) => `runners.kubernetes.${key}`),
  ]
}

/** A table that remembers which of its keys were read; tables in it have names of their own. */
function recorder(
  keys: Set<string>,
  prefix: string,
  values: Record<string, unknown> = {},
): Record<string, unknown> {
  return new Proxy(values, {
    get: (target, key) => {
      if (typeof key === 'string' && typeof target[key] !== 'object') keys.add(`${prefix}${key}`)
      return typeof key === 'string' ? target[key] : undefined
    },
  })
}
