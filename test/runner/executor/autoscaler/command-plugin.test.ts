import { expect, test } from 'vitest'

import { createLogger } from '../../../../src/lib/logger.js'
import type { CommandPluginSettings } from '../../../../src/runner/executor/docker/autoscaler/model/settings.js'
import { CommandPlugin } from '../../../../src/runner/executor/docker/autoscaler/plugins/command-plugin.js'
import { machineCommands } from './support/machine-commands.js'

const NEVER = new AbortController().signal

/** A plugin whose commands all run this script. */
function scripted(script: string, timeout = 10_000): CommandPlugin {
  const command = ['sh', '-c', script] as const
  const settings: CommandPluginSettings = {
    kind: 'command',
    commands: { create: command, delete: command, list: command, connect: command },
    timeouts: { create: timeout, delete: timeout, list: timeout, connect: timeout },
    environment: {},
  }
  return new CommandPlugin(settings, 'ci', createLogger('runner', 'silent'))
}

test('commands create, list, connect and delete a machine', async () => {
  const { settings } = await machineCommands('tcp://10.0.0.7:2376')
  const plugin = new CommandPlugin(settings, 'ci', createLogger('runner', 'silent'))
  const machine = await plugin.create('ci-0000000a', NEVER)
  expect(machine).toEqual({ name: 'ci-0000000a', instance: { id: 'i-1' } })
  expect(await plugin.list(NEVER)).toEqual([{ name: 'ci-0000000a' }])
  expect(await plugin.connect(machine, NEVER)).toEqual({ host: 'tcp://10.0.0.7:2376' })
  await plugin.delete(machine, NEVER)
  await plugin.delete(machine, NEVER)
  expect(await plugin.list(NEVER)).toEqual([])
})

test('a command gets the documented input', async () => {
  const echoed = await scripted('read -r line; printf \'{"instance":%s}\' "$line"').create(
    'ci-0000000a',
    NEVER,
  )
  expect(echoed.instance).toEqual({ version: 1, action: 'create', pool: 'ci', name: 'ci-0000000a' })
})

test.each([
  ['exit 3', 'The command "list" (sh) failed with exit code 3'],
  ['echo first >&2; echo quota exceeded >&2; exit 1', 'failed with exit code 1: quota exceeded'],
  ['true', 'must print JSON such as {"instances": [{"name": "…"}, …]}, but printed: nothing'],
  ['echo hello', 'but printed: hello'],
  ['echo \'{"instances":[{"id":1}]}\'', 'but printed: {"instances":[{"id":1}]}'],
  ['kill -KILL $$', 'was ended by SIGKILL'],
  ['yes | head -c 2000000', 'printed more than 1048576 characters'],
])('the output of `%s` is refused: %s', async (script, message) => {
  await expect(scripted(script).list(NEVER)).rejects.toThrow(message)
})

test('a command that takes too long is killed', async () => {
  await expect(scripted('echo waiting >&2; exec sleep 100', 50).list(NEVER)).rejects.toThrow(
    'did not end within 0.05 seconds',
  )
})

test('a program that does not exist is named', async () => {
  const { settings } = await machineCommands('')
  const commands = { ...settings.commands, list: ['/no/such/program', 'list'] as const }
  const plugin = new CommandPlugin({ ...settings, commands }, 'ci', createLogger('runner', 'silent'))
  await expect(plugin.list(NEVER)).rejects.toThrow(
    /"list" \(\/no\/such\/program\) cannot be started: .*ENOENT/,
  )
})
