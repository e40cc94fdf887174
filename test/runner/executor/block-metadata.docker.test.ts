import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'

import {
  blockMetadataAddresses,
  findProblem,
} from '../../../src/runner/executor/docker/network/block-metadata.js'
import { busyboxImage } from '../../support/docker-image.js'
import { openBench, runScripts } from './docker-jobs.js'

const run = promisify(execFile)

const HERE = { platform: 'linux', isRoot: true, isEngineLocal: true } as const
const RULE = ['DOCKER-USER', '-d', '169.254.0.0/16', '-j', 'REJECT']

const METADATA = '169.254.169.254'
/** Of the same machine, by the same way: what shows that a job would get there. */
const NEIGHBOUR = '198.18.77.2'
const GATEWAY = '198.18.77.1'

function recordedLogger() {
  const lines: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  return { lines, logger }
}

/** How often the rule stands in the chain. */
async function rules(): Promise<number> {
  const { stdout } = await run('iptables', ['-w', '-S', 'DOCKER-USER'])
  return stdout.split('\n').filter((line) => line.includes('-d 169.254.0.0/16')).length
}

/** What this test puts there is taken away again; what was there before stays. */
async function restoreRules(): Promise<void> {
  const before = await rules()
  onTestFinished(async () => {
    for (let left = await rules(); left > before; left--) await run('iptables', ['-w', '-D', ...RULE])
  })
}

/** A machine beside this one that responds on port 80 of both addresses. */
async function openNeighbour(): Promise<void> {
  const id = Math.random().toString(36).slice(2, 8)
  const [space, outside, inside] = [`swy-${id}`, `swyo${id}`, `swyi${id}`]
  onTestFinished(async () => {
    await run('ip', ['netns', 'pids', space]).then(({ stdout }) =>
      stdout
        .split('\n')
        .filter(Boolean)
        .forEach((pid) => process.kill(Number(pid), 'SIGKILL')),
    )
    await run('ip', ['netns', 'delete', space])
  })
  const within = ['netns', 'exec', space]
  for (const args of [
    ['netns', 'add', space],
    ['link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', space],
    ['address', 'add', `${GATEWAY}/24`, 'dev', outside],
    ['link', 'set', outside, 'up'],
    [...within, 'ip', 'link', 'set', 'lo', 'up'],
    [...within, 'ip', 'address', 'add', `${NEIGHBOUR}/24`, 'dev', inside],
    [...within, 'ip', 'address', 'add', `${METADATA}/32`, 'dev', 'lo'],
    [...within, 'ip', 'link', 'set', inside, 'up'],
    [...within, 'ip', 'route', 'add', 'default', 'via', GATEWAY],
    ['route', 'add', METADATA, 'via', NEIGHBOUR],
    [...within, 'busybox', 'httpd', '-p', '80', '-h', '/sys/class/net'],
  ]) {
    await run('ip', args)
  }
}

test('a job reaches other machines but not the metadata address', async () => {
  await restoreRules()
  await openNeighbour()
  const { lines, logger } = recordedLogger()
  await blockMetadataAddresses(HERE, logger)
  expect(lines).toEqual([])
  const bench = await openBench({ image: await busyboxImage() })
  const reach = (address: string) => `printf 'GET /none HTTP/1.0\\r\\n\\r\\n' | nc -w 5 ${address} 80 2>&1`
  const { text } = await runScripts(bench, [`${reach(NEIGHBOUR)}; ${reach(METADATA)}`])
  expect(text).toMatch(/HTTP\/1\.\d 404 Not Found/)
  expect(text).toContain(`can't connect to remote host (${METADATA}): Connection refused`)
})

test('the firewall rule exists once after several starts', async () => {
  await restoreRules()
  const { logger } = recordedLogger()
  await blockMetadataAddresses(HERE, logger)
  await blockMetadataAddresses(HERE, logger)
  expect(await rules()).toBe(1)
})

test.each<[Partial<Parameters<typeof findProblem>[0]>, string | undefined]>([
  [{}, undefined],
  [{ isRoot: false }, 'the runner does not run as root'],
  [{ platform: 'darwin' }, 'this system is darwin'],
  [{ isEngineLocal: false, isRoot: false }, 'the engine runs on another machine'],
])('a rule for %j is impossible because: %s', (host, expected) => {
  expect(findProblem({ ...HERE, ...host })).toBe(expected)
})

test('without permission for the rule, one warning names the remedy', async () => {
  const { lines, logger } = recordedLogger()
  await blockMetadataAddresses({ ...HERE, isEngineLocal: false }, logger)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('iptables -I DOCKER-USER -d 169.254.0.0/16 -j REJECT')
  expect(lines[0]).toContain('block_metadata_addresses = false')
})
