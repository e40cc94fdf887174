import { writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

import type {
  Reporter,
  SerializedError,
  TestCase,
  TestModule,
  TestRunEndReason,
  TestSuite,
} from 'vitest/node'

import type { Failure, RunReport, TestFile } from '../../scripts/test/run-report.mjs'

type Entity = TestCase | TestModule | TestSuite

/** Writes which tests failed, for `scripts/test/run-tests.mjs`, into the file that it names. */
export default class RunReporter implements Reporter {
  async onTestRunEnd(
    modules: readonly TestModule[],
    unhandled: readonly SerializedError[],
    reason: TestRunEndReason,
  ): Promise<void> {
    const path = process.env['SWITCHYARD_TEST_REPORT']
    if (path === undefined) return
    const entities = modules.flatMap(entitiesOf)
    const report: RunReport = {
      isInterrupted: reason === 'interrupted',
      errors: unhandled.length,
      files: modules.map(fileOf),
      failures: entities.flatMap(failuresOf),
      passed: entities.filter(isPassed).map(nameOf),
    }
    await writeFile(path, JSON.stringify(report))
  }
}

function entitiesOf(module: TestModule): Entity[] {
  return [module, ...module.children.allSuites(), ...module.children.allTests()]
}

/** Of a group or file: the failures of its own hooks and imports, and not those of its tests. */
function failuresOf(entity: Entity): Failure[] {
  const isFailed = entity.type === 'test' ? entity.result().state === 'failed' : entity.errors().length > 0
  if (!isFailed) return []
  const errors = entity.type === 'test' ? (entity.result().errors ?? []) : entity.errors()
  return [{ file: fileOf(moduleOf(entity)), name: nameOf(entity), reason: firstLine(errors) }]
}

function isPassed(entity: Entity): boolean {
  return (entity.type === 'test' ? entity.result() : { state: entity.state() }).state === 'passed'
}

function nameOf(entity: Entity): string {
  const { project, path } = fileOf(moduleOf(entity))
  const file = `${project} ${relative(process.cwd(), path)}`.trim()
  return entity.type === 'module' ? file : `${file} > ${entity.fullName}`
}

function moduleOf(entity: Entity): TestModule {
  return entity.type === 'module' ? entity : entity.module
}

function fileOf({ project, moduleId }: TestModule): TestFile {
  return { project: project.name, path: moduleId }
}

function firstLine(errors: readonly { message: string }[]): string {
  const [line = ''] = stripVTControlCharacters(errors[0]?.message ?? '').split('\n')
  return line
}
