import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { parse } from 'smol-toml'
import { expect, test } from 'vitest'

import { readSettings } from '../../../src/runner/config/read-settings.js'
import { tempDir } from '../../support/temp-dir.js'

function read(hosts: string, executor = 'docker-hosts', concurrent = 100) {
  const text = `concurrent = ${concurrent}
    [[runners]]
    url = "https://a"
    token = "t"
    executor = "${executor}"
    [runners.docker]
    image = "i"
    ${hosts}`
  return readSettings(parse(text), 'config.toml', {})
}

function host(lines: string): string {
  return `[[runners.docker_hosts]]\n${lines}\n`
}

test('hosts have their address as name, and run one job at a time', async () => {
  const key = join(await tempDir(), 'key')
  await writeFile(key, '')
  const { settings, warnings } = read(
    host(`host = "ssh://ci@build-2:2222"\nssh_key_file = "${key}"\nconcurrent = 8\nweight = 3`) +
      host('host = "unix:///run/docker.sock"') +
      host('host = "ssh://ci@build-3"\nname = "large"'),
  )
  expect(warnings).toEqual([])
  expect(settings.runners[0]?.executor).toBe('docker-hosts')
  expect(settings.runners[0]?.dockerHosts).toMatchObject([
    {
      name: 'build-2:2222',
      engine: { host: 'ssh://ci@build-2:2222', sshKeyFile: key },
      concurrent: 8,
      weight: 3,
    },
    { name: '/run/docker.sock', concurrent: 1, weight: 1 },
    { name: 'large', engine: { host: 'ssh://ci@build-3' } },
  ])
})

test.each([
  ['', 'docker_hosts is missing: the executor "docker-hosts" needs at least one'],
  [host('concurrent = 1'), 'docker_hosts[0].host is missing'],
  [
    host('host = "ssh://ci:pw@a"'),
    'docker_hosts[0].host must be an address such as .*ssh://user@machine, not',
  ],
  [host('host = "ssh://-oProxyCommand=id"'), 'docker_hosts[0].host must be an address'],
  [host('host = "ssh://a"\nssh_key_file = "/nowhere"'), 'ssh_key_file is /nowhere, which does not exist'],
  [host('host = "ssh://a"\nconcurrent = 0'), 'concurrent must be a whole number of at least 1'],
  [host('host = "ssh://a"\nconcurrent = 1001'), 'concurrent must be at most 1000'],
  [host('host = "ssh://a"\nweight = 1001'), 'weight must be at most 1000'],
  [host('host = "ssh://a"\nname = "a b"'), 'docker_hosts[0].name must be up to 100 letters'],
  [host('host = "ssh://a"') + host('host = "ssh://b@a"'), 'docker_hosts[1].name "a" is that of another host'],
  [host('host = "unix:///a"').repeat(101), 'docker_hosts must have at most 100 hosts, not 101'],
])('the hosts %j are refused', (hosts, problem) => {
  const pattern = problem.replaceAll(/[[\]()]/g, String.raw`\$&`)
  expect(() => read(hosts)).toThrow(new RegExp(`runners\\[0\\].*${pattern.replace('runners', '')}`))
})

test.each([
  [host('host = "tcp://10.0.0.7"'), 'docker-hosts', 100, 'host is not protected by TLS (tls_verify)'],
  [
    host('host = "ssh://a"\ncolour = "red"'),
    'docker-hosts',
    100,
    'docker_hosts[0].colour is not a known setting',
  ],
  [
    host('host = "ssh://a"\nconcurrent = 4'),
    'docker-hosts',
    3,
    'concurrent is 3, but the hosts in docker_hosts may run 4',
  ],
  [host('host = "ssh://a"'), 'docker', 100, 'docker_hosts has no effect with the executor "docker"'],
])('the hosts %j of the executor %s, with %i jobs, are warned of', (hosts, executor, concurrent, warning) => {
  expect(read(hosts, executor, concurrent).warnings.join('\n')).toContain(warning)
})
