import { RE2JS, RE2JSException } from 're2js'

import type { Database } from '../../database/connect.js'
import { apiError, invalidRecord, notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { isoTime } from '../../http/presenters/present-time.js'
import {
  deletePushRule,
  findPushRule,
  insertPushRule,
  INSTANCE,
  type PushRuleRow,
  type RuleOwner,
  updatePushRule,
} from '../push-rule-store.js'
import { DefaultPushRule, expressionNames, ProjectPushRule, SetPushRule } from './schema.js'

/** Push rules of projects, and of groups and the instance for new projects (API, C6). */
export function pushRuleOperations({ database }: { database: Database }): Operation[] {
  return [...projectOperations(database), ...groupOperations(database), ...instanceOperations(database)]
}

const CHANGES = { attributes: Object.keys(SetPushRule.properties) }

function projectOperations(database: Database): Operation[] {
  const ownerOf = ({ id }: { id: number }): RuleOwner => ({ column: 'project_id', id })
  return [
    operation('GET /projects/:id/push_rule', {
      summary: 'Get the push rule of a project',
      access: 'admin_project',
      responses: { 200: ProjectPushRule },
      run: async ({ project }) => presentOfProject(await requirePushRule(database, ownerOf(project))),
    }),
    operation('POST /projects/:id/push_rule', {
      summary: 'Create the push rule of a project',
      access: 'admin_project',
      params: SetPushRule,
      responses: { 201: ProjectPushRule },
      run: async ({ project, params }) =>
        presentOfProject(await createRule(database, ownerOf(project), params)),
    }),
    operation('PUT /projects/:id/push_rule', {
      summary: 'Change the push rule of a project',
      access: 'admin_project',
      params: SetPushRule,
      changes: { ...CHANGES, before: ({ project }) => recorded(database, ownerOf(project)) },
      responses: { 200: ProjectPushRule },
      run: async ({ project, params }) =>
        presentOfProject(await editRule(database, ownerOf(project), params)),
    }),
    operation('DELETE /projects/:id/push_rule', {
      summary: 'Delete the push rule of a project',
      access: 'admin_project',
      responses: { 204: NoBody },
      run: ({ project }) => removeRule(database, ownerOf(project)),
    }),
  ]
}

function groupOperations(database: Database): Operation[] {
  const ownerOf = ({ id }: { id: number }): RuleOwner => ({ column: 'group_id', id })
  return [
    operation('GET /groups/:id/push_rule', {
      summary: 'Get the push rule that new projects of a group get',
      access: 'admin_group',
      responses: { 200: DefaultPushRule },
      run: async ({ group }) => present(await requirePushRule(database, ownerOf(group))),
    }),
    operation('POST /groups/:id/push_rule', {
      summary: 'Create the push rule that new projects of a group get',
      access: 'admin_group',
      params: SetPushRule,
      responses: { 201: DefaultPushRule },
      run: async ({ group, params }) => present(await createRule(database, ownerOf(group), params)),
    }),
    operation('PUT /groups/:id/push_rule', {
      summary: 'Change the push rule that new projects of a group get',
      access: 'admin_group',
      params: SetPushRule,
      changes: { ...CHANGES, before: ({ group }) => recorded(database, ownerOf(group)) },
      responses: { 200: DefaultPushRule },
      run: async ({ group, params }) => present(await editRule(database, ownerOf(group), params)),
    }),
    operation('DELETE /groups/:id/push_rule', {
      summary: 'Delete the push rule that new projects of a group get',
      access: 'admin_group',
      responses: { 204: NoBody },
      run: ({ group }) => removeRule(database, ownerOf(group)),
    }),
  ]
}

function instanceOperations(database: Database): Operation[] {
  return [
    operation('GET /admin/push_rule', {
      summary: 'Get the push rule that new projects get without one of a group',
      access: 'administrator',
      responses: { 200: DefaultPushRule },
      run: async () => present(await requirePushRule(database, INSTANCE)),
    }),
    operation('POST /admin/push_rule', {
      summary: 'Create the push rule that new projects get without one of a group',
      access: 'administrator',
      params: SetPushRule,
      responses: { 201: DefaultPushRule },
      run: async ({ params }) => present(await createRule(database, INSTANCE, params)),
    }),
    operation('PUT /admin/push_rule', {
      summary: 'Change the push rule that new projects get without one of a group',
      access: 'administrator',
      params: SetPushRule,
      changes: { ...CHANGES, before: () => recorded(database, INSTANCE) },
      responses: { 200: DefaultPushRule },
      run: async ({ params }) => present(await editRule(database, INSTANCE, params)),
    }),
    operation('DELETE /admin/push_rule', {
      summary: 'Delete the push rule that new projects get without one of a group',
      access: 'administrator',
      responses: { 204: NoBody },
      run: () => removeRule(database, INSTANCE),
    }),
  ]
}

async function requirePushRule(database: Database, owner: RuleOwner): Promise<PushRuleRow> {
  const rule = await findPushRule(database, owner)
  if (!rule) throw notFound('Push Rule')
  return rule
}

/** The values before the change, for the audit trail; empty if there is none to change. */
async function recorded(database: Database, owner: RuleOwner): Promise<object> {
  return (await findPushRule(database, owner)) ?? {}
}

const OWNERS = { project_id: 'Project', group_id: 'Group', is_of_instance: 'Instance' }

/** Throws 422 if there is one, as clients expect it. */
async function createRule(database: Database, owner: RuleOwner, params: SetPushRule): Promise<PushRuleRow> {
  const rule = await insertPushRule(database, owner, checked(params))
  if (!rule) throw apiError('push_rule_exists', { owner: OWNERS[owner.column] })
  return rule
}

async function editRule(database: Database, owner: RuleOwner, params: SetPushRule): Promise<PushRuleRow> {
  const rule = await updatePushRule(database, owner, checked(params))
  if (!rule) throw notFound('Push Rule')
  return rule
}

async function removeRule(database: Database, owner: RuleOwner) {
  if (!(await deletePushRule(database, owner))) throw notFound('Push Rule')
  return respond(204)
}

/** Throws 400 for an expression that does not compile. An empty one is none. */
export function checked(params: SetPushRule): SetPushRule {
  const values = { ...params }
  for (const name of expressionNames) {
    const pattern = values[name]
    if (pattern === '') values[name] = null
    else if (pattern && !compiles(pattern)) throw invalidRecord({ [name]: ['not valid RE2 syntax'] })
  }
  return values
}

function compiles(pattern: string): boolean {
  try {
    RE2JS.compile(pattern)
    return true
  } catch (error) {
    if (error instanceof RE2JSException) return false
    throw error
  }
}

function present(row: PushRuleRow) {
  const { project_id: _project, group_id: _group, is_of_instance: _instance, created_at, ...rule } = row
  return { ...rule, created_at: isoTime(created_at) }
}

function presentOfProject(rule: PushRuleRow) {
  return { ...present(rule), project_id: rule.project_id }
}
