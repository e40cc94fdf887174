import { expect, test } from 'vitest'

import { createPipeline } from '../../../../src/coordinator/ci/engine/create/create-pipeline.js'
import type { EngineDeps } from '../../../../src/coordinator/ci/engine/engine-deps.js'
import { settingsVariables } from '../../../../src/coordinator/ci/predefined-variables/settings-variables.js'
import type { Database } from '../../../../src/coordinator/database/connect.js'
import type { CiVariableTable } from '../../../../src/coordinator/database/tables/variables.js'
import { describeOnDatabase, type OpenDatabase } from '../../../support/databases.js'
import { openEngine, requestFor } from '../engine/support/engine.js'

interface Given extends Partial<Pick<CiVariableTable, 'project_id' | 'namespace_id'>> {
  key?: string
  environment_scope?: string
  protected?: boolean
}

function addVariable({ database, secrets }: EngineDeps, value: string, { key = 'X', ...more }: Given) {
  return database
    .insertInto('ci_variable')
    .values({
      key,
      value_encrypted: secrets.encrypt(value),
      variable_type: 'env_var',
      created_at: 0,
      updated_at: 0,
      ...more,
    })
    .execute()
}

async function addGroup(database: Database, fullPath: string): Promise<number> {
  const path = fullPath.split('/').at(-1) ?? ''
  const { id } = await database
    .insertInto('namespace')
    .values({ kind: 'group', name: path, path, full_path: fullPath, visibility: 'private', created_at: 0 })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** A project in the group `top/sub`. */
async function openWithGroups(open: OpenDatabase) {
  const engine = await openEngine(open)
  const { database } = engine.store
  const top = await addGroup(database, 'top')
  const sub = await addGroup(database, 'top/sub')
  const stranger = await addGroup(database, 'top/su')
  const project = { id: engine.project.id, full_path: 'top/sub/it' }
  const values = async (isProtected = false) =>
    (await settingsVariables(engine.deps, project, isProtected)).map(({ value }) => value)
  return { ...engine, top, sub, stranger, project, values }
}

describeOnDatabase('settings variables', (open) => {
  test('of the instance, the groups and the project: the nearest one counts last', async () => {
    const { deps, top, sub, stranger, project, values } = await openWithGroups(open)
    await addVariable(deps, 'project', { project_id: project.id })
    await addVariable(deps, 'sub', { namespace_id: sub })
    await addVariable(deps, 'stranger', { namespace_id: stranger })
    await addVariable(deps, 'top', { namespace_id: top })
    await addVariable(deps, 'instance', {})
    expect(await values()).toEqual(['instance', 'top', 'sub', 'project'])
  })

  test('of one level the most specific scope counts last, but not over a nearer level', async () => {
    const { deps, top, project, values } = await openWithGroups(open)
    await addVariable(deps, 'group prod', { namespace_id: top, environment_scope: 'prod' })
    await addVariable(deps, 'project prod/*', { project_id: project.id, environment_scope: 'prod/*' })
    await addVariable(deps, 'project *', { project_id: project.id })
    expect(await values()).toEqual(['group prod', 'project *', 'project prod/*'])
  })

  test('protected ones are for protected refs', async () => {
    const { deps, project, values } = await openWithGroups(open)
    await addVariable(deps, 'open', { key: 'A' })
    await addVariable(deps, 'protected', { key: 'B', project_id: project.id, protected: true })
    expect(await values(false)).toEqual(['open'])
    expect(await values(true)).toEqual(['open', 'protected'])
  })

  test.each(['instance', 'group', 'project'] as const)('a key is there once for one %s', async (level) => {
    const { deps, top, project } = await openWithGroups(open)
    const owner = { instance: {}, group: { namespace_id: top }, project: { project_id: project.id } }[level]
    await addVariable(deps, 'one', owner)
    await expect(addVariable(deps, 'other', owner)).rejects.toThrow()
  })

  test('are visible to the CI file and override it', async () => {
    const engine = await openEngine(open)
    await addVariable(engine.deps, 'large', { key: 'SIZE' })
    engine.repositories.ciFile = 'variables: {SIZE: small}\njob: {script: x, tags: [$SIZE, $NONE]}'
    const creation = await createPipeline(engine.deps, requestFor(engine))
    expect(creation.kind).toBe('created')
    const job = await engine.store.database.selectFrom('job').select('tag_list').executeTakeFirstOrThrow()
    expect(job.tag_list).toEqual(['large', '$NONE'])
  })
})
