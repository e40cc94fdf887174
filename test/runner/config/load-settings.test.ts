import { chmod, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'

import { type SettingsError } from '../../../src/runner/client/errors.js'
import { readConfigFile, writeConfigFile } from '../../../src/runner/config/config-file.js'
import { loadSettings } from '../../../src/runner/config/load-settings.js'
import { readSettings } from '../../../src/runner/config/read-settings.js'
import { loadSystemId } from '../../../src/runner/config/system-id.js'
import { tempDir } from '../../support/temp-dir.js'

/** As the reference runner writes it. */
const REFERENCE_FILE = `
concurrent = 4
check_interval = 0
shutdown_timeout = 0
connection_max_age = "15m0s"

[session_server]
  session_timeout = 1800

[[runners]]
  name = "builder"
  url = "https://git.example"
  id = 7
  token = "glrt-abc"
  token_obtained_at = 2026-01-02T03:04:05Z
  token_expires_at = 0001-01-01T00:00:00Z
  executor = "docker"
  limit = 2
  output_limit = 8192
  unhealthy_interval = "2m"
  environment = ["A=1", "B=x=y"]
  [runners.cache]
    MaxUploadedArchiveSize = 0
    [runners.cache.s3]
  [runners.docker]
    tls_verify = false
    image = "ruby:3.3"
    privileged = false
    disable_entrypoint_overwrite = false
    oom_kill_disable = false
    disable_cache = false
    volumes = ["/cache"]
    pull_policy = ["always", "if-not-present"]
    shm_size = 0
    network_mtu = 0
`

function read(text: string, environment: NodeJS.ProcessEnv = {}) {
  return readSettings(parse(text), 'config.toml', environment)
}

function problemsOf(text: string): string[] {
  try {
    read(text)
    return []
  } catch (error) {
    return (error as SettingsError).problems
  }
}

describe('reading the settings', () => {
  test('reads the source settings of a registration, also with older key names', () => {
    const entry = (text: string) =>
      read(
        `[[runners]]\nurl = "https://a"\ntoken = "t"\nexecutor = "docker"\n${text}\n[runners.docker]\nimage = "a"`,
      )
    const sources = `builds_dir = "/ci/"\nget_sources_timeout = "10m"\npre_clone_script = "a"\npost_clone_script = "b"
      clean_git_config = false\nsafe_directory_checkout = true\n[runners.custom_build_dir]\nenabled = false`
    const { settings, warnings } = entry(sources)
    expect(settings.runners[0]).toMatchObject({
      buildsDir: '/ci',
      getSourcesTimeoutSeconds: 600,
      preGetSourcesScript: 'a',
      postGetSourcesScript: 'b',
      isClonePathAllowed: false,
    })
    expect(warnings).toEqual([])
    expect(
      entry('pre_get_sources_script = "new"\npre_clone_script = "old"').settings.runners[0],
    ).toMatchObject({
      preGetSourcesScript: 'new',
      isClonePathAllowed: true,
    })
    expect(() => entry('builds_dir = "ci"')).toThrow('builds_dir must be an absolute path')
  })

  test('reads a file of the reference runner into typed settings', () => {
    const { settings, warnings } = read(REFERENCE_FILE)
    expect(settings).toMatchObject({ concurrent: 4, checkIntervalSeconds: 3, shutdownTimeoutSeconds: 30 })
    expect(settings.runners[0]).toMatchObject({
      name: 'builder',
      url: 'https://git.example',
      token: 'glrt-abc',
      limit: 2,
      outputLimitBytes: 8192 * 1024,
      unhealthyIntervalSeconds: 120,
      environment: [
        { key: 'A', value: '1' },
        { key: 'B', value: 'x=y' },
      ],
      docker: {
        image: 'ruby:3.3',
        pullPolicy: ['always', 'if-not-present'],
        volumes: [{ kind: 'cache', containerPath: '/cache' }],
      },
    })
    // What asks for nothing in it is not worth a word.
    expect(warnings).toEqual([
      'connection_max_age has no effect on this runner',
      'session_server has no effect on this runner',
    ])
  })

  test('applies defaults, and treats a limit of 0 as unlimited', () => {
    const { settings } = read(
      '[[runners]]\nurl = "http://a"\ntoken = "t"\nexecutor = "docker"\nlimit = 0\n[runners.docker]\nimage = "i"',
    )
    expect(settings).toMatchObject({ concurrent: 1, checkIntervalSeconds: 3, shutdownTimeoutSeconds: 30 })
    expect(settings.runners[0]).toMatchObject({
      limit: undefined,
      requestConcurrency: 1,
      outputLimitBytes: 4194304,
    })
  })

  test('reads URL and token from the environment', () => {
    const { settings } = read(REFERENCE_FILE.replace('glrt-abc', '${RUNNER_SECRET}'), {
      RUNNER_SECRET: 'glrt-x',
    })
    expect(settings.runners[0]?.token).toBe('glrt-x')
  })

  test('reports unknown keys as warnings', () => {
    expect(read('colour = "red"').warnings).toEqual(['colour is not a known setting'])
  })

  test('applies global labels to all registrations, whose own labels win', () => {
    const { settings } =
      read(`${REFERENCE_FILE.replace('[session_server]', '[labels]\nregion = "north"\nrack = "b-1"\n[session_server]')}
  [runners.labels]
    rack = "b-17"`)
    expect(settings.runners[0]?.labels).toEqual({ region: 'north', rack: 'b-17' })
  })

  test('rejects labels that coordinators reject', () => {
    expect(problemsOf('[labels]\nab = "x"\nregion = "far north"')).toEqual([
      'labels has the key "ab"; a key must be 3 to 65 letters, digits, "_", "." and "-"',
      'labels.region must be 1 to 256 letters, digits, "_", "." and "-"',
    ])
  })

  test('lists every problem', () => {
    const text = `
      concurrent = 0
      log_level = "loud"
      [[runners]]
      url = "ftp://x"
      executor = "docker"
      limit = "two"
      unhealthy_interval = "soon"
      environment = ["NOTHING"]
      [runners.docker]
      pull_policy = "sometimes"`
    expect(problemsOf(text)).toEqual([
      'concurrent must be a whole number of at least 1',
      'log_level must be one of panic, fatal, error, warning, info, debug',
      'runners[0].url must begin with http:// or https://',
      'runners[0].token is missing',
      'runners[0].limit must be a whole number of at least 0',
      'runners[0].unhealthy_interval must be a duration such as 15m',
      'runners[0].environment must hold entries of the form KEY=value, not "NOTHING"',
      'runners[0].docker.image is missing',
      'runners[0].docker.pull_policy must be one of always, if-not-present, never, or a list of them',
    ])
  })

  test.each(['shell', 'ssh', 'docker+machine', 'instance', 'custom'])(
    'serves the other registrations of a file with one for the executor %s, with one warning',
    (executor) => {
      const text = `
        [[runners]]
        name = "elsewhere"
        url = "https://one.example.com"
        token = "one"
        executor = "${executor}"
        [runners.ssh]
        host = "10.0.0.7"
        [[runners]]
        url = "https://two.example.com"
        token = "two"
        executor = "docker"
        [runners.docker]
        image = "busybox"`
      const { settings, warnings } = readSettings(parse(text), 'config.toml', {})
      expect(settings.runners.map(({ token }) => token)).toEqual(['two'])
      expect(warnings).toEqual([
        `runners[0] ("elsewhere") is not served: its executor is "${executor}"; this runner has the executors "docker", "docker-hosts", "docker-autoscaler" and "kubernetes"`,
      ])
    },
  )

  test.each([
    ['allowed_pull_policies = ["never"]', 'pull_policy'],
    ['pull_policy = ["always", "if-not-present"]\nallowed_pull_policies = ["never"]', 'pull_policy'],
    ['user = "root"\nallowed_users = ["builder"]', 'user'],
  ])('warns of defaults that it refuses itself: %s', (lines, key) => {
    const text = `[[runners]]\nurl = "https://x"\ntoken = "x"\nexecutor = "docker"\n[runners.docker]\nimage = "x"\n${lines}`
    const { warnings } = readSettings(parse(text), 'config.toml', {})
    expect(warnings).toEqual([
      expect.stringMatching(new RegExp(`runners.0..docker.allowed_.* does not contain .*\\(${key}\\)`)),
    ])
  })

  test('reports a missing or invalid file in one sentence', async () => {
    const file = join(await tempDir(), 'config.toml')
    await expect(loadSettings(file)).rejects.toThrow(
      'does not exist; `switchyard runner register` creates it',
    )
    await writeFile(file, 'concurrent = = 1')
    await expect(loadSettings(file)).rejects.toThrow('is not valid TOML')
  })
})

describe('writing the settings', () => {
  test('keeps unknown keys, in a file that only its owner can read', async () => {
    const file = join(await tempDir(), 'settings', 'config.toml')
    await writeConfigFile(file, { ...parse(REFERENCE_FILE), colour: 'red' })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(join(file, '..'))).mode & 0o777).toBe(0o700)
    const table = await readConfigFile(file)
    expect(table).toMatchObject({ colour: 'red', session_server: { session_timeout: 1800 } })
    expect(await readFile(file, 'utf8')).toContain('token_obtained_at = 2026-01-02T03:04:05')
  })

  test('keeps the old file if it fails', async () => {
    const file = join(await tempDir(), 'config.toml')
    await writeConfigFile(file, { concurrent: 2 })
    await chmod(file, 0o600)
    await expect(writeConfigFile(join(file, 'below', 'x.toml'), {})).rejects.toThrow()
    expect(await readConfigFile(file)).toEqual({ concurrent: 2 })
  })
})

test('the system ID is created once and kept', async () => {
  const file = join(await tempDir(), 'config.toml')
  const first = await loadSystemId(file)
  expect(first).toMatch(/^r_[0-9a-zA-Z]{12}$/)
  expect(await loadSystemId(file)).toBe(first)
  await writeFile(join(file, '..', '.runner_system_id'), 'r_abcdefghijkl')
  expect(await loadSystemId(file)).toBe('r_abcdefghijkl')
  await writeFile(join(file, '..', '.runner_system_id'), 's_0123456789ab')
  expect(await loadSystemId(file)).toBe('s_0123456789ab')
})

test('two runners of one machine have system IDs of their own', async () => {
  const [one, other] = [await tempDir(), await tempDir()]
  expect(await loadSystemId(join(one, 'config.toml'))).not.toBe(
    await loadSystemId(join(other, 'config.toml')),
  )
})
