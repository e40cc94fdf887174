import { execFile } from 'node:child_process'

import { messageOf } from '../../../../lib/errors.js'
import type { Logger } from '../../../../lib/logger.js'

/** The addresses at which clouds serve the credentials of a machine to any process on it. */
const TABLES: readonly [Table, Table] = [
  { program: 'iptables', addresses: '169.254.0.0/16' },
  { program: 'ip6tables', addresses: 'fd00:ec2::254/128' },
]

interface Table {
  program: 'iptables' | 'ip6tables'
  addresses: string
}

/**
 * The engine sends every packet that leaves a container's network through this chain first, and never changes the
 * chain.
 */
const CHAIN = 'DOCKER-USER'
/** Where an administrator adds the rule for an engine without this chain, such as Podman. */
const COMMON_CHAIN = 'FORWARD'

/** The facts that are known before the rules are checked. */
export interface Host {
  platform: NodeJS.Platform
  isRoot: boolean
  isEngineLocal: boolean
  /** Absent if the engine was not asked. */
  isEngineRootless?: boolean
}

/** Why this process cannot set firewall rules for the containers of its engine. Undefined if it can try. */
export function findProblem({ platform, isRoot, isEngineLocal, isEngineRootless }: Host): string | undefined {
  if (!isEngineLocal) return 'the engine runs on another machine'
  if (platform !== 'linux') return `this system is ${platform}`
  if (isEngineRootless) return 'the packets of an engine without root come from a process of its user'
  return isRoot ? undefined : 'the runner does not run as root'
}

/**
 * Blocks access of containers to the link-local addresses, with one rule in the engine's user chain. The rule is
 * added once, however often runners start, and stays when they stop. If that fails, one warning explains what to
 * do. Containers in the host's network are not covered, nor are the addresses of the host itself.
 */
export async function blockMetadataAddresses(host: Host, logger: Logger): Promise<void> {
  const problem = findProblem(host) ?? (await catchProblem(() => ensureRule(TABLES[0])))
  if (problem !== undefined) {
    logger.warn(
      `Jobs can reach the metadata addresses of their machine (${TABLES[0].addresses}): ${problem}. Reject these addresses ` +
        `(iptables -I ${CHAIN} -d ${TABLES[0].addresses} -j REJECT; for Podman in ${COMMON_CHAIN}), or allow them (block_metadata_addresses = false).`,
    )
    return
  }
  // The engine has a chain for IPv6 only if it routes IPv6.
  const without = await catchProblem(() => ensureRule(TABLES[1]))
  if (without !== undefined) logger.debug(`No rule for IPv6: ${without}`)
}

/** Why jobs reach the addresses now. Undefined if the rule is there. Changes nothing. */
export async function metadataProblem(host: Host): Promise<string | undefined> {
  const problem = findProblem(host)
  if (problem !== undefined) return problem
  if (await hasRule(TABLES[0], CHAIN, COMMON_CHAIN)) return undefined
  return (
    `there is no rule; the daemon adds it at its start if the engine has the chain ${CHAIN}. For another engine, run ` +
    `iptables -I ${COMMON_CHAIN} -d ${TABLES[0].addresses} -j REJECT`
  )
}

async function catchProblem(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

async function ensureRule({ program, addresses }: Table): Promise<void> {
  if (await hasRule({ program, addresses }, CHAIN)) return
  const inserted = await call(program, ['-I', CHAIN, ...ruleFor(addresses)])
  if (inserted.exitCode === undefined) throw new Error(`there is no ${program}`)
  if (inserted.exitCode !== 0 && !(await hasRule({ program, addresses }, COMMON_CHAIN)))
    throw new Error(inserted.stderr.trim() || `${program} ended with ${inserted.exitCode}`)
}

async function hasRule({ program, addresses }: Table, ...chains: string[]): Promise<boolean> {
  for (const chain of chains) {
    const { exitCode } = await call(program, ['-C', chain, ...ruleFor(addresses)])
    if (exitCode === 0) return true
  }
  return false
}

function ruleFor(addresses: string): string[] {
  return ['-d', addresses, '-j', 'REJECT']
}

/**
 * `-w` waits for other programs that change rules, such as the engine. Does not use `execa`, which would stay in
 * the memory of an idle runner, because this runs only once at the start.
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
