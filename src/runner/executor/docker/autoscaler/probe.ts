import { execa } from 'execa'

import { pause } from '../../../../lib/pause.js'
import { connectEngine } from '../connect-engine.js'
import { engineOf } from './instance-engine.js'
import { PluginError } from './model/errors.js'
import type { Connection } from './model/instance.js'
import { lastLine } from './plugins/run-command.js'

/** Milliseconds until an engine must respond. */
const PING_TIMEOUT = 5000

/** Finds out whether a machine can run jobs. */
export interface Probe {
  /** Throws while the machine is not ready. */
  untilReady(name: string, connection: Connection, signal: AbortSignal): Promise<void>
  /** Throws if the engine of a ready machine does not respond. */
  check(connection: Connection): Promise<void>
}

/** Asks the engine, and runs `command` (`instance_ready_command`) on this machine until it succeeds. */
export class EngineProbe implements Probe {
  constructor(private readonly command: string | undefined) {}

  async untilReady(name: string, connection: Connection, signal: AbortSignal): Promise<void> {
    await this.check(connection)
    if (this.command === undefined) return
    const env = variablesOf(name, connection)
    const result = await execa(this.command, {
      shell: true,
      env,
      cancelSignal: signal,
      all: true,
      reject: false,
    })
    signal.throwIfAborted()
    if (!result.failed) return
    const exit = result.exitCode === undefined ? '' : ` with exit code ${result.exitCode}`
    throw new PluginError(`instance_ready_command failed${exit}: ${lastLine(result.all)}`, { cause: result })
  }

  async check(connection: Connection): Promise<void> {
    const isOver = new AbortController()
    const tooLate = pause(PING_TIMEOUT, isOver.signal).then(() => {
      if (!isOver.signal.aborted) throw new PluginError(`${connection.host} does not respond in time`)
    })
    try {
      await Promise.race([connectEngine(engineOf(connection)).ping(), tooLate])
    } finally {
      isOver.abort()
    }
  }
}

/** A Docker client in the command uses the engine of the machine. */
function variablesOf(name: string, { host, tls_cert_path, tls_verify }: Connection): Record<string, string> {
  return {
    INSTANCE_NAME: name,
    DOCKER_HOST: host,
    ...(tls_cert_path === undefined ? {} : { DOCKER_CERT_PATH: tls_cert_path }),
    ...(tls_verify === true ? { DOCKER_TLS_VERIFY: '1' } : {}),
  }
}
