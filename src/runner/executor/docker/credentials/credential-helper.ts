import { isTable } from '../../../config/table-reader.js'
import type { RegistryAuth } from './auth-config.js'
import { registryPathOf } from './registry-path.js'

const TIMEOUT_MILLISECONDS = 30_000
/** Of each of its outputs. */
const MAX_OUTPUT_BYTES = 1024 * 1024
/** What such a program says as the name of a user when it gives a token. */
const TOKEN_USER = '<token>'
/** In the words of those programs, on standard output or standard error. */
const NOTHING_KNOWN = /credentials not found/i

/**
 * What `docker-credential-<program>` knows about an address; undefined when it knows nothing. Throws with the
 * program's own words, which hold no secret, when it fails.
 */
export async function askHelper(
  program: string,
  server: string,
  environment: NodeJS.ProcessEnv,
): Promise<RegistryAuth | undefined> {
  const answer = await runHelper(program, 'get', server, environment)
  if (answer === undefined) return undefined
  const { Username: username, Secret: secret } = answer
  if (typeof username !== 'string' || typeof secret !== 'string' || secret === '') return undefined
  return username === TOKEN_USER ? { identitytoken: secret } : { username, password: secret }
}

/** The addresses that the program knows, by their path. */
export async function listHelper(
  program: string,
  environment: NodeJS.ProcessEnv,
): Promise<Map<string, string>> {
  const answer = (await runHelper(program, 'list', '', environment)) ?? {}
  return new Map(Object.keys(answer).map((server) => [registryPathOf(server), server]))
}

async function runHelper(
  program: string,
  verb: 'get' | 'list',
  input: string,
  environment: NodeJS.ProcessEnv,
): Promise<Record<string, unknown> | undefined> {
  const name = `docker-credential-${program}`
  // Few runners need it, and none while it waits.
  const { execa } = await import('execa')
  const { exitCode, stdout, stderr, shortMessage, failed } = await execa(name, [verb], {
    input,
    env: environment,
    extendEnv: false,
    timeout: TIMEOUT_MILLISECONDS,
    maxBuffer: MAX_OUTPUT_BYTES,
    reject: false,
  })
  if (exitCode !== 0 && NOTHING_KNOWN.test(`${stdout}${stderr}`)) return undefined
  if (failed)
    throw new Error(
      exitCode === undefined
        ? (shortMessage ?? name)
        : `${name}: ${stderr.trim() || `exit code ${exitCode}`}`,
    )
  const answer: unknown = parseAnswer(stdout)
  if (isTable(answer)) return answer
  throw new Error(`${name} answered something that is no JSON object`)
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
