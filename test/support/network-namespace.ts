import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { onFinished } from './lifetime.js'

const run = promisify(execFile)

/** A network namespace that a cable connects with that of the test. */
export interface NetworkNamespace {
  namespace: string
  /** Its own address. */
  address: string
  /** Plugs the cable in or out. */
  set(state: 'up' | 'down'): Promise<void>
}

let count = 0

/** Needs root. */
export async function openNetworkNamespace(): Promise<NetworkNamespace> {
  // Interfaces have names of at most 15 characters.
  const id = `${process.pid % 100_000}-${count++}`
  const network = (process.pid + 1000 * count) % (1 << 14)
  const addressOf = (host: number) => `10.213.${network >> 6}.${((network & 63) << 2) + host}`
  const [namespace, outside, inside] = [`swy-${id}`, `swyo${id}`, `swyi${id}`]
  const ip = async (...args: string[]) => void (await run('ip', args))
  await ip('netns', 'add', namespace)
  onFinished(() => ip('netns', 'delete', namespace))
  await ip('link', 'add', outside, 'type', 'veth', 'peer', 'name', inside, 'netns', namespace)
  await ip('address', 'add', `${addressOf(1)}/30`, 'dev', outside)
  // Before the namespace, with which the system would remove it later.
  onFinished(() => ip('link', 'delete', outside))
  await ip('link', 'set', outside, 'up')
  await ip('-n', namespace, 'address', 'add', `${addressOf(2)}/30`, 'dev', inside)
  await ip('-n', namespace, 'link', 'set', inside, 'up')
  await ip('-n', namespace, 'link', 'set', 'lo', 'up')
  return { namespace, address: addressOf(2), set: (state) => ip('link', 'set', outside, state) }
}
