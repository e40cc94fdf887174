import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { parse } from 'smol-toml'
import { afterAll, describe, expect, test } from 'vitest'

import { entriesOf } from '../../../src/runner/config/config-file.js'
import { RUNNER_KEYS } from '../../../src/runner/config/keys/known-keys.js'
import { readSettings } from '../../../src/runner/config/read-settings.js'
import { isTable, type Table } from '../../../src/runner/config/table-reader.js'
import * as unsupported from '../../../src/runner/config/unsupported-keys.js'

const FIXTURES = join(import.meta.dirname, 'fixtures')

/** Keys that hold one value each, tables of free names among them. */
const LEAVES = RUNNER_KEYS.map(({ path }) => path.join('.'))

/** The engine's certificates that the files name are here. */
const CERTIFICATES = mkdtempSync(join(tmpdir(), 'switchyard-certificates-'))
for (const name of ['ca.pem', 'cert.pem', 'key.pem']) writeFileSync(join(CERTIFICATES, name), '')
afterAll(() => rmSync(CERTIFICATES, { recursive: true }))

function fixture(name: string): Table {
  const text = readFileSync(join(FIXTURES, name), 'utf8')
  return parse(text.replaceAll('/etc/docker/certs', CERTIFICATES))
}

function warningsOf(name: string): string[] {
  return readSettings(fixture(name), name, {}).warnings
}

describe('a file of the reference runner', () => {
  test.each(readdirSync(FIXTURES))('%s is read without problems or unknown keys', (name) => {
    expect(warningsOf(name).filter((warning) => warning.includes('not a known setting'))).toEqual([])
  })

  test('as registration writes it, needs no warnings', () => {
    expect(warningsOf('registered.toml')).toEqual([
      'connection_max_age has no effect on this runner',
      'session_server has no effect on this runner',
    ])
  })

  test('gets a warning for each key without effect', () => {
    const expected = [
      ...unsupported.GLOBAL,
      ...unsupported.ENTRY.map((key) => `runners[0].${key}`),
      ...unsupported.DOCKER.map((key) => `runners[0].docker.${key}`),
      'runners[0].feature_flags.FF_NETWORK_PER_BUILD',
      'runners[0].cache.s3.RoleARN',
      'runners[0].cache.s3.UploadRoleARN',
    ]
    const withoutEffect = warningsOf('every-key.toml').filter((line) => line.includes('has no effect'))
    expect(withoutEffect.sort()).toEqual(expected.map((key) => `${key} has no effect on this runner`).sort())
  })

  test('gets a warning for each key of Kubernetes without effect', () => {
    const expected = [
      ...unsupported.KUBERNETES.map((key) => `runners[0].kubernetes.${key}`),
      ...unsupported.SERVICE.map((key) => `runners[0].kubernetes.services[0].${key}`),
    ]
    expect(warningsOf('kubernetes.toml').sort()).toEqual(
      expected.map((key) => `${key} has no effect on this runner`).sort(),
    )
  })
})

describe('list of configuration keys', () => {
  /** Set by registration itself. */
  const WITHOUT_FLAG = ['id', 'token', 'token_obtained_at', 'token_expires_at']
  const entries = ['every-key.toml', 'kubernetes.toml'].map((name) => entriesOf(fixture(name))[0] ?? {})

  test('has every key of the reference runner', () => {
    const known = LEAVES
    const used = entries.flatMap((entry) => keysIn(entry))
    expect(used.filter((key) => !known.includes(key) && !WITHOUT_FLAG.includes(key))).toEqual([])
    expect(known.filter((key) => !used.includes(key))).toEqual([])
  })

  test('has every key that this runner reads', () => {
    const read = new Set<string>()
    readSettings({ runners: entries.map((entry) => watched(entry, '', read)) }, 'watched', {})
    const known = RUNNER_KEYS.flatMap(({ path }) =>
      path.map((_, index) => path.slice(0, index + 1).join('.')),
    )
    const unknown = [...read].filter((key) => !known.includes(key) && !WITHOUT_FLAG.includes(key))
    expect(unknown).toEqual([])
  })

  test('gives no two keys the same flag or variable', () => {
    for (const names of [RUNNER_KEYS.map(({ flag }) => flag), RUNNER_KEYS.map(({ variable }) => variable)]) {
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    }
  })
})

/** Dotted keys of a table, not going into what is known as one value. */
function keysIn(table: Table, place: string[] = []): string[] {
  return Object.entries(table).flatMap(([key, value]) => {
    const path = [...place, key]
    return isTable(value) && !LEAVES.includes(path.join('.')) ? keysIn(value, path) : [path.join('.')]
  })
}

/** The table, noting which keys are asked for. */
function watched(table: Table, place: string, read: Set<string>): Table {
  return new Proxy(table, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key)
      if (typeof key === 'symbol') return value
      const path = place === '' ? key : `${place}.${key}`
      read.add(path)
      return isTable(value) && !LEAVES.includes(path) ? watched(value, path, read) : value
    },
  })
}
