import type { ContextVariables } from '../../../src/ci-config/context-variable.js'

export const NO_CONTEXT_VARIABLES: ContextVariables = { predefined: [], user: [], settings: [], pipeline: [] }
