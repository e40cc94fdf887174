import { execFile } from 'node:child_process'

import { messageOf } from '../../../../lib/errors.js'
import type { Logger } from '../../../../lib/logger.js'

/** Where clouds hand out a machine's own credentials to whoever asks from it. */
const TABLES = [
  { program: 'iptables', addresses: '169.254.0.0/16' },
  { program: 'ip6tables', addresses: 'fd00:ec2::254/128' },
] as const

/** The engine has every packet of a container that leaves its network pass here first, and never changes it. */
const CHAIN = 'DOCKER-USER'

/** What is known before the rules are looked at. */
export interface Host {
  platform: NodeJS.Platform
  isRoot: boolean
  isEngineLocal: boolean
}

/** Why this process cannot set rules for the containers of its engine; undefined when it may try. */
export function obstacle({ platform, isRoot, isEngineLocal }: Host): string | undefined {
  if (!isEngineLocal) return 'the engine runs on another machine'
  if (platform !== 'linux') return `this system is ${platform}`
  return isRoot ? undefined : 'the runner does not run as root'
}

/**
 * Keeps containers from the link-local addresses, by one rule in the engine's user chain. It is there once, however
 * often runners start, and stays when they stop. Where that cannot be done, one warning says what to do. Containers in
 * the host's own network are not covered, and neither are addresses of the host itself.
 */
export async function blockMetadataAddresses(host: Host, logger: Logger): Promise<void> {
  const problem = obstacle(host) ?? (await problemOf(() => ensureRule(TABLES[0])))
  if (problem !== undefined) {
    logger.warn(
      `Jobs can reach the metadata addresses of their machine (${TABLES[0].addresses}): ${problem}. Reject them there ` +
        `(iptables -I ${CHAIN} -d ${TABLES[0].addresses} -j REJECT), or say that it is fine (block_metadata_addresses = false).`,
    )
    return
  }
  // The engine has a chain for IPv6 only when it routes IPv6.
  const without = await problemOf(() => ensureRule(TABLES[1]))
  if (without !== undefined) logger.debug(`No rule for IPv6: ${without}`)
}

async function problemOf(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

async function ensureRule({ program, addresses }: (typeof TABLES)[number]): Promise<void> {
  const rule = ['-d', addresses, '-j', 'REJECT']
  const found = await call(program, ['-C', CHAIN, ...rule])
  if (found.exitCode === 0) return
  const inserted = await call(program, ['-I', CHAIN, ...rule])
  if (inserted.exitCode === undefined) throw new Error(`there is no ${program}`)
  if (inserted.exitCode !== 0)
    throw new Error(inserted.stderr.trim() || `${program} ended with ${inserted.exitCode}`)
}

/**
 * `-w`: waits for others that change rules, such as the engine. Called once at the start, and not through `execa`, which
 * would stay in the memory of a runner that only waits.
 */
async function call(
  program: string,
  args: string[],
): Promise<{ exitCode: number | undefined; stderr: string }> {
  const options = { timeout: 30_000, encoding: 'utf8' as const }
  return await new Promise((resolve) => {
    execFile(program, ['-w', '10', ...args], options, (error, _stdout, stderr) => {
      const code = error ? error.code : 0
      resolve({ exitCode: typeof code === 'number' ? code : undefined, stderr })
    })
  })
}
