import { existsSync, readFileSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import { DEBUG_PORTS } from '../../scripts/dev/debug-ports.mjs'

const ROOT = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8')

/** VS Code allows comments, which stand on lines of their own here. */
const readWithComments = (path: string): unknown => JSON.parse(read(path).replace(/^\s*\/\/.*$/gm, ''))

const { tasks } = readWithComments('.vscode/tasks.json') as {
  tasks: { label: string; type: string; script?: string; command?: string }[]
}
const { configurations } = readWithComments('.vscode/launch.json') as {
  configurations: { name: string; port?: number; preLaunchTask?: string; program?: string }[]
}
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

test.each([
  ['.github/ISSUE_TEMPLATE/bug.md', '.gitlab/issue_templates/Bug.md'],
  ['.github/ISSUE_TEMPLATE/feature.md', '.gitlab/issue_templates/Feature.md'],
  ['.github/pull_request_template.md', '.gitlab/merge_request_templates/Default.md'],
])('%s and %s ask for the same', (github, gitlab) => {
  expect(read(github).replace(/^---\n[\s\S]*?\n---\n+/, '')).toBe(read(gitlab))
})

describe('CODEOWNERS', () => {
  const rules = read('CODEOWNERS')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' '))

  test('begins with the owners of everything', () => expect(rules[0]?.[0]).toBe('*'))

  test.each(rules)('%s exists, and %s is a group or a user', (pattern, owner) => {
    expect(owner).toMatch(/^@[\w-]+(?:\/[\w-]+)*$/)
    if (pattern !== '*') expect(existsSync(new URL(`.${pattern}`, ROOT)), pattern).toBe(true)
  })
})

describe('.vscode', () => {
  test.each(tasks)('the task $label runs a script of the package', ({ script, command }) => {
    const name = script ?? /^npm (?:run )?([\w:]+)/.exec(command ?? '')?.[1] ?? ''
    expect(Object.keys(scripts)).toContain(name)
  })

  test.each(configurations)('$name starts a task and a program that exist', ({ preLaunchTask, program }) => {
    if (preLaunchTask !== undefined) expect(tasks.map(({ label }) => label)).toContain(preLaunchTask)
    const file = program?.replace('${workspaceFolder}/', '')
    if (file !== undefined) expect(existsSync(new URL(file, ROOT)), file).toBe(true)
  })

  test('debuggers attach to the ports that npm run dev opens', () => {
    const ports = configurations.flatMap(({ port }) => port ?? [])
    expect(ports).toEqual([DEBUG_PORTS.coordinator, DEBUG_PORTS.runner])
  })
})
