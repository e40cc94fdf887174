import { type Static, type TSchema, Type } from 'typebox'
import { Check } from 'typebox/value'

import type { Logger } from '../../../../../lib/logger.js'
import { PluginError } from '../model/errors.js'
import { Connection } from '../model/instance.js'
import type { CommandAction, CommandPluginSettings } from '../model/settings.js'
import type { Plugin, PluginInstance } from './plugin.js'
import { runCommand } from './run-command.js'

/** Changes only if commands of an operator would have to change. */
const VERSION = 1

const Machine = Type.Object({ name: Type.String(), instance: Type.Optional(Type.Unknown()) })
const Created = Type.Object({ instance: Type.Optional(Type.Unknown()) })
const Listed = Type.Object({ instances: Type.Array(Machine) })

/**
 * Four commands of the operator. Each gets one JSON object on its standard input and prints one, except for `delete`. The
 * manual describes them (docs/autoscaling.md).
 */
export class CommandPlugin implements Plugin {
  constructor(
    private readonly settings: CommandPluginSettings,
    private readonly pool: string,
    private readonly logger: Logger,
  ) {}

  async create(name: string, signal: AbortSignal): Promise<PluginInstance> {
    const { instance } = await this.ask('create', { name }, Created, signal, '{"instance": …}')
    return { name, instance }
  }

  async delete(machine: PluginInstance, signal: AbortSignal): Promise<void> {
    await this.run('delete', machine, signal)
  }

  async list(signal: AbortSignal): Promise<PluginInstance[]> {
    const wanted = '{"instances": [{"name": "…"}, …]}'
    const { instances } = await this.ask('list', {}, Listed, signal, wanted)
    return instances
  }

  async connect(machine: PluginInstance, signal: AbortSignal): Promise<Connection> {
    return await this.ask('connect', machine, Connection, signal, '{"host": "tcp://…"}')
  }

  private async ask<Schema extends TSchema>(
    action: CommandAction,
    request: object,
    schema: Schema,
    signal: AbortSignal,
    wanted: string,
  ): Promise<Static<Schema>> {
    const output = await this.run(action, request, signal)
    const response = parse(output)
    if (Check(schema, response)) return response
    const shown = output.length > 200 ? `${output.slice(0, 200)}…` : output
    throw new PluginError(
      `The command "${action}" must print JSON such as ${wanted}, but printed: ${shown === '' ? 'nothing' : shown}`,
    )
  }

  private run(action: CommandAction, request: object, signal: AbortSignal): Promise<string> {
    const { commands, timeouts, environment } = this.settings
    const input = JSON.stringify({ version: VERSION, action, pool: this.pool, ...request })
    return runCommand({
      name: action,
      command: commands[action],
      input: `${input}\n`,
      timeout: timeouts[action],
      environment,
      signal,
      logger: this.logger,
    })
  }
}

/** Undefined for what is not JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
