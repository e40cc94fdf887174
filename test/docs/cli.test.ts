import { readFileSync } from 'node:fs'

import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'

import { adminCommand } from '../../src/cli/commands/admin/index.js'
import { coordinatorCommand } from '../../src/cli/commands/coordinator.js'
import { lintCommand } from '../../src/cli/commands/lint/index.js'
import { localCommand } from '../../src/cli/commands/local/index.js'
import { runnerCommand } from '../../src/cli/commands/runner/index.js'
import { shellCommand } from '../../src/cli/commands/shell/index.js'
import { upCommand } from '../../src/cli/commands/up/index.js'

const pageOf = (name: string) => readFileSync(`docs/${name}.md`, 'utf8')

describe('documents of the command line', () => {
  test.each<[string, string, Command]>([
    ['docs/install.md', pageOf('install'), upCommand()],
    ['docs/settings.md', pageOf('settings'), coordinatorCommand()],
    ['docs/operations.md', pageOf('operations'), rotateCommand()],
    ...adminCommand().commands.map(
      (command) => ['docs/operations.md', pageOf('operations'), command] satisfies [string, string, Command],
    ),
    ['docs/ci-files.md', pageOf('ci-files'), shellCommand()],
    ['docs/lint-and-local.md', sectionOf('Check a CI file'), lintCommand()],
    ['docs/lint-and-local.md', sectionOf('Run a pipeline'), localCommand()],
  ])('%s names every option of its command', (_, text, command) => {
    expect(optionsOf(command).filter((option) => !text.includes(option))).toEqual([])
  })

  test('docs/runner.md names every runner command', () => {
    const text = pageOf('runner')
    const names = runnerCommand().commands.map((command) => command.name())
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
  })

  test('an example names no command and no option that does not exist', () => {
    const known = new Set(['admin', 'coordinator', 'lint', 'local', 'runner', 'shell', 'up'])
    const pages = ['install', 'lint-and-local', 'operations', 'runner', 'settings', 'ci-files'].map(pageOf)
    const named = [readFileSync('README.md', 'utf8'), ...pages].flatMap((text) =>
      [...text.matchAll(/^ {4}(?:\$ )?switchyard ([a-z]+)(?: ([a-z-]+))?/gm)].map(([, first, second]) => [
        first ?? '',
        second ?? '',
      ]),
    )
    const runner = new Set(runnerCommand().commands.map((command) => command.name()))
    const admin = new Set(adminCommand().commands.map((command) => command.name()))
    expect(named.length).toBeGreaterThan(5)
    expect(named.filter(([first = '']) => !known.has(first))).toEqual([])
    expect(named.filter(([first, second = '']) => first === 'runner' && !runner.has(second))).toEqual([])
    expect(named.filter(([first, second = '']) => first === 'admin' && !admin.has(second))).toEqual([])
  })
})

function rotateCommand(): Command {
  return coordinatorCommand().commands[0]!
}

function optionsOf(command: Command): string[] {
  return command.options.flatMap(({ long }) => long ?? [])
}

/** From a heading of the page of `lint` and `local` to the next one of its level. */
function sectionOf(title: string): string {
  const [, section = ''] = pageOf('lint-and-local').split(`\n## ${title}\n`)
  return section.split('\n## ')[0] ?? ''
}
