import { Command } from 'commander'

import { parseDuration } from '../../../lib/duration.js'
import type { HoldsMessage } from '../../../runner/control/messages.js'
import { action, CommandError } from './action.js'
import { type ControlOptions, jsonOption, printJson, withDaemon } from './control-options.js'
import { configOption } from './options.js'
import { named, type PauseOptions, runnerOption } from './pause.js'
import { holdsText } from './status-text.js'

export function holdsCommand(): Command {
  return new Command('holds')
    .description('show the ended jobs whose containers the running daemon keeps, or change one')
    .enablePositionalOptions()
    .addOption(configOption())
    .addOption(jsonOption())
    .action(action(showHolds))
    .addCommand(
      new Command('end')
        .description('end the hold of a job: its container, services and files are removed')
        .argument('<job>', 'ID of the job')
        .addOption(configOption())
        .addOption(runnerOption())
        .addOption(jsonOption())
        .action(action(endHold)),
    )
    .addCommand(
      new Command('extend')
        .description('hold a job for some time from now on, within max_time of [hold]')
        .argument('<job>', 'ID of the job')
        .argument('<time>', 'such as 30m')
        .addOption(configOption())
        .addOption(runnerOption())
        .addOption(jsonOption())
        .action(action(extendHold)),
    )
}

async function showHolds(options: ControlOptions): Promise<void> {
  print(options, await withDaemon(options, (daemon) => daemon.holds()))
}

async function endHold(job: string, options: PauseOptions): Promise<void> {
  const request = { job: jobId(job), ...named(options) }
  print(options, await withDaemon(options, (daemon) => daemon.endHold(request)))
}

async function extendHold(job: string, time: string, options: PauseOptions): Promise<void> {
  const seconds = parseDuration(time)
  if (!seconds) throw new CommandError([`"${time}" is not a duration such as 30m`])
  const request = { job: jobId(job), seconds, ...named(options) }
  print(options, await withDaemon(options, (daemon) => daemon.extendHold(request)))
}

function print({ json }: ControlOptions, { holds }: HoldsMessage): void {
  if (json) printJson(holds)
  else process.stdout.write(holdsText(holds))
}

function jobId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new CommandError([`"${text}" is not the ID of a job`])
  return Number(text)
}
