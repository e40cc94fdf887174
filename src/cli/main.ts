#!/usr/bin/env node
import { Command } from 'commander'

import { VERSION } from '../lib/version.js'
import { runCommand } from './run-command.js'

/** Commands are loaded on demand: `--version` and small commands do not load the modules of the others. */
const COMMANDS: Record<string, () => Promise<Command>> = {
  up: async () => (await import('./commands/up/index.js')).upCommand(),
  coordinator: async () => (await import('./commands/coordinator.js')).coordinatorCommand(),
  admin: async () => (await import('./commands/admin/index.js')).adminCommand(),
  runner: async () => (await import('./commands/runner/index.js')).runnerCommand(),
  shell: async () => (await import('./commands/shell/index.js')).shellCommand(),
  lint: async () => (await import('./commands/lint/index.js')).lintCommand(),
  mcp: async () => (await import('./commands/mcp/index.js')).mcpCommand(),
  local: async () => (await import('./commands/local/index.js')).localCommand(),
}

/** Commands that programs start, not people. */
const HIDDEN: Record<string, () => Promise<Command>> = {
  'runner-helper': async () => (await import('./commands/runner-helper.js')).runnerHelperCommand(),
}

await runCommand(async () => {
  const program = new Command('switchyard')
    .description(
      'A self-hosted CI service: a coordinator that turns a push into a pipeline, and a runner for its jobs',
    )
    .version(VERSION)
  for (const load of commandsFor(process.argv[2])) program.addCommand(await load())
  await program.parseAsync()
})

/** All commands, for the help and for the suggestion after an unknown name. */
function commandsFor(first: string | undefined): (() => Promise<Command>)[] {
  if (first === '--version' || first === '-V') return []
  const known = { ...COMMANDS, ...HIDDEN }
  const wanted = first !== undefined && Object.hasOwn(known, first) ? known[first] : undefined
  return wanted ? [wanted] : Object.values(COMMANDS)
}
