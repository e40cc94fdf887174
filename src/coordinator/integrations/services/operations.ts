import { Type } from 'typebox'

import type { Project, User } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond, type Route } from '../../http/operation.js'
import { signedIn } from '../../http/viewer.js'
import { findHookOfIntegration } from '../webhooks/hook-store.js'
import { type TryDeps, tryHook } from '../webhooks/try-hook.js'
import {
  deleteIntegration,
  type IntegrationDeps,
  presentIntegration,
  presentKind,
  presentListed,
  requireIntegrationKind,
  setIntegration,
} from './integrations.js'
import { kindOfSlug, KINDS } from './kinds.js'
import { BySlug, Integration, IntegrationKind, ListedIntegration, SetIntegration } from './schema.js'
import { activeIntegrations, findIntegration } from './store.js'

export interface IntegrationOperationDeps extends IntegrationDeps {
  tries: TryDeps
}

/** Integrations of projects with other services, under both of their paths (API, L2). */
export function integrationOperations(deps: IntegrationOperationDeps): Operation[] {
  return [
    operation('GET /integration_kinds', {
      summary: 'List the kinds of integrations that projects can have',
      access: 'user',
      responses: { 200: Type.Array(IntegrationKind) },
      run: async () => KINDS.map(presentKind),
    }),
    ...operationsUnder(deps, '', {
      list: 'GET /projects/:id/integrations',
      get: 'GET /projects/:id/integrations/:slug',
      set: 'PUT /projects/:id/integrations/:slug',
      delete: 'DELETE /projects/:id/integrations/:slug',
      test: 'POST /projects/:id/integrations/:slug/test',
    }),
    ...operationsUnder(deps, ', by the older path', {
      list: 'GET /projects/:id/services',
      get: 'GET /projects/:id/services/:slug',
      set: 'PUT /projects/:id/services/:slug',
      delete: 'DELETE /projects/:id/services/:slug',
      test: 'POST /projects/:id/services/:slug/test',
    }),
  ]
}

/** `note` ends the summaries. */
function operationsUnder(
  deps: IntegrationOperationDeps,
  note: string,
  routes: Record<'list' | 'get' | 'set' | 'delete' | 'test', Route>,
): Operation[] {
  return [
    operation(routes.list, {
      summary: `List the active integrations of a project${note}`,
      access: 'admin_project',
      responses: { 200: Type.Array(ListedIntegration) },
      run: ({ project }) => listed(deps, project),
    }),
    operation(routes.get, {
      summary: `Get an integration of a project${note}`,
      access: 'admin_project',
      params: BySlug,
      responses: { 200: Integration },
      run: ({ project, params }) => one(deps, project, params.slug),
    }),
    operation(routes.set, {
      summary: `Create or change an integration of a project${note}`,
      access: 'admin_project',
      params: SetIntegration,
      responses: { 200: Integration },
      run: async ({ project, params }) => {
        const kind = requireIntegrationKind(params.slug)
        return presentIntegration(kind, await setIntegration(deps, project.id, params, kind))
      },
    }),
    operation(routes.delete, {
      summary: `Delete an integration of a project${note}`,
      access: 'admin_project',
      params: BySlug,
      responses: { 204: NoBody },
      modifiedAt: ({ project, params }) => changedAt(deps, project, params.slug),
      run: async ({ project, params }) => {
        await deleteIntegration(deps.database, project.id, requireIntegrationKind(params.slug))
        return respond(204)
      },
    }),
    operation(routes.test, {
      summary: `Send a sample event to an integration of a project${note}`,
      access: 'admin_project',
      params: BySlug,
      responses: { 201: Type.Object({}) },
      run: ({ project, user, params }) => tried(deps, project, signedIn(user), params.slug),
    }),
  ]
}

async function listed({ database }: IntegrationDeps, project: Project) {
  const rows = await activeIntegrations(database, project.id)
  return rows.flatMap((row) => {
    const kind = kindOfSlug(row.slug)
    return kind ? [presentListed(kind, row)] : []
  })
}

async function changedAt({ database }: IntegrationDeps, project: Project, slug: string): Promise<number> {
  return (await findIntegration(database, project.id, requireIntegrationKind(slug).slug))?.updated_at ?? 0
}

/** A kind that was never set is an inactive integration. */
async function one({ database }: IntegrationDeps, project: Project, slug: string) {
  const kind = requireIntegrationKind(slug)
  return presentIntegration(kind, await findIntegration(database, project.id, kind.slug))
}

/** Throws 404 for an integration that sends nothing, and 422 if the other service does not respond. */
async function tried(
  { database, tries }: IntegrationOperationDeps,
  project: Project,
  user: User,
  slug: string,
) {
  const kind = requireIntegrationKind(slug)
  const row = await findIntegration(database, project.id, kind.slug)
  const hook = row && (await findHookOfIntegration(database, row.id))
  if (!hook) throw notFound('Integration')
  const trigger = kind.events.includes('push_events') ? 'push_events' : (kind.events[0] ?? 'push_events')
  await tryHook(tries, project, user, hook, trigger)
  return respond(201, {})
}
