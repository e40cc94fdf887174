import { relative } from 'node:path'

import type { Reporter, TestCase, TestModule } from 'vitest/node'

const SHOWN = 30

interface Time {
  /** In milliseconds. */
  time: number
  name: string
}

/** Ends the output of a run with the time that each project took and with the slowest tests. */
export default class SlowestReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = [
      '',
      'Time of each project, of all its workers together',
      ...projectTimes(modules).map(line),
    ]
    const tests = slowestTests(modules)
    if (tests.length > 1) lines.push('', 'Slowest tests', ...tests.map(line))
    process.stdout.write(`${lines.join('\n')}\n`)
  }
}

function projectTimes(modules: readonly TestModule[]): Time[] {
  const names = [...new Set(modules.map(({ project }) => project.name))]
  return names.map((name) => {
    const ofProject = modules.filter(({ project }) => project.name === name)
    const all = ofProject.map((module) => module.diagnostic())
    const loading = sum(
      all.map(
        ({ prepareDuration, setupDuration, collectDuration }) =>
          prepareDuration + setupDuration + collectDuration,
      ),
    )
    const time = loading + sum(all.map(({ duration }) => duration))
    return { name: `${name}: ${ofProject.length} files, which took ${seconds(loading)} to load`, time }
  })
}

function slowestTests(modules: readonly TestModule[]): Time[] {
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  return tests
    .map((test) => ({ name: titleOf(test), time: test.diagnostic()?.duration ?? 0 }))
    .sort((one, other) => other.time - one.time)
    .slice(0, SHOWN)
}

function titleOf({ module, fullName }: TestCase): string {
  return `${relative(process.cwd(), module.moduleId)} > ${fullName}`
}

function sum(times: number[]): number {
  return times.reduce((total, time) => total + time, 0)
}

function line({ time, name }: Time): string {
  return `${seconds(time).padStart(9)}  ${name}`
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}
