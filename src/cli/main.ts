#!/usr/bin/env node
import { Command } from 'commander'

import { VERSION } from '../coordinator/http/version.js'
import { coordinatorCommand } from './commands/coordinator.js'
import { lintCommand } from './commands/lint/index.js'
import { localCommand } from './commands/local/index.js'
import { runnerCommand } from './commands/runner/index.js'
import { upCommand } from './commands/up/index.js'
import { runCommand } from './run-command.js'

const program = new Command('switchyard')
  .description(
    'A self-hosted CI service: a coordinator that turns a push into a pipeline, and a runner for its jobs',
  )
  .version(VERSION)
  .addCommand(upCommand())
  .addCommand(coordinatorCommand())
  .addCommand(runnerCommand())
  .addCommand(lintCommand())
  .addCommand(localCommand())

await runCommand(() => program.parseAsync())
