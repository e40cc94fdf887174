import { AsyncLocalStorage } from 'node:async_hooks'

import type { FastifyRequest } from 'fastify'

import type { Caller } from '../access/caller.js'
import { MCP_SCOPE } from './authentication/scopes.js'

/** Name of a program that gives none. */
const UNNAMED = 'agent'
const MAX_NAME = 100

const agents = new AsyncLocalStorage<string>()

/** Runs the calls that a tool makes: they are those of the program that has sent `request`, for its user. */
export function asAgent<T>(request: FastifyRequest, work: () => T): T {
  return agents.run(nameOf(request), work)
}

/** The program that makes a call for a user, by the name that it gives; undefined if the user makes it. */
export function agentOf(caller: Caller, request: FastifyRequest): string | undefined {
  const isToken =
    caller.kind === 'user' && caller.scopes.includes(MCP_SCOPE) && !caller.scopes.includes('api')
  return agents.getStore() ?? (isToken ? nameOf(request) : undefined)
}

function nameOf({ headers }: FastifyRequest): string {
  return (headers['user-agent'] || UNNAMED).slice(0, MAX_NAME)
}
