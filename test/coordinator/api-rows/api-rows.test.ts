import { expect, test } from 'vitest'

import type { Operation } from '../../../src/coordinator/http/operation.js'
import { declaredOperations } from '../support/declared-operations.js'
import { ciRows } from './ci-rows.js'
import { peopleRows } from './people-rows.js'
import { planningRows } from './planning-rows.js'
import { projectOmitted, projectRows } from './project-rows.js'
import { type ApiRow, type OmittedRow, shapeOf } from './rows.js'

const ROWS: ApiRow[] = [...ciRows, ...peopleRows, ...planningRows, ...projectRows]
const OMITTED: OmittedRow[] = projectOmitted

test('every row of the documents is served, with its parameters and responses', async () => {
  const served = byShape(await declaredOperations())
  const lacks = ROWS.flatMap((row) => lacksOf(row, served.get(shapeOf(row.route))))
  expect(lacks).toEqual([])
})

test('operations left out have a reason and are not served', async () => {
  const served = byShape(await declaredOperations())
  const surprises = OMITTED.flatMap(({ route, parameters, reason }) => {
    const operation = served.get(shapeOf(route))
    if (reason === '') return [`${route}: no reason`]
    if (parameters.length === 0) return operation ? [`${route} is served`] : []
    return parameters
      .filter((name) => operation && parametersOf(operation).has(name))
      .map((name) => `${route} takes ${name}`)
  })
  expect(surprises).toEqual([])
})

test('no row is there twice', () => {
  const shapes = ROWS.map(({ route }) => shapeOf(route))
  expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([])
})

function byShape(operations: Operation[]): Map<string, Operation> {
  return new Map(operations.map((each) => [shapeOf(`${each.method} ${each.path}`), each]))
}

function lacksOf({ route, parameters, responses }: ApiRow, operation: Operation | undefined): string[] {
  if (!operation) return [`${route} is not served`]
  const taken = parametersOf(operation)
  return [
    ...parameters.filter((name) => !taken.has(name)).map((name) => `${route} does not take ${name}`),
    ...responses
      .filter((status) => !(status in operation.responses))
      .map((status) => `${route} does not return ${status}`),
  ]
}

function parametersOf({ params }: Operation): Set<string> {
  return new Set(Object.keys(params?.properties ?? {}))
}
