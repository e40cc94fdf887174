import { Option } from 'commander'

import { controlSocketOf } from '../../../runner/config/load-settings.js'
import { ControlClient } from '../../../runner/control/control-client.js'

export interface ControlOptions {
  config: string
  json?: boolean
}

export function jsonOption(): Option {
  return new Option('--json', 'print JSON')
}

/** Connects to the daemon that was started with this settings file. */
export async function withDaemon<T>(
  { config }: Pick<ControlOptions, 'config'>,
  work: (client: ControlClient) => Promise<T>,
): Promise<T> {
  const client = new ControlClient(await controlSocketOf(config))
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value, undefined, 2)}\n`)
}
